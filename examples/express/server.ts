import { app } from './app.ts'

app.listen(4000, () => console.log('http://localhost:4000'))
