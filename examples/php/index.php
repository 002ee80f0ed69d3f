<?php
declare(strict_types=1);

// Run `php -S localhost:4000 index.php`. PHP 8.1 or newer is required, and no library.

function env(string $name): string
{
    return getenv($name) ?: throw new RuntimeException("Set $name.");
}

/** All attempts share one idempotency key, so a change takes effect once. */
function api(string $method, string $path, ?array $body = null, ?string $key = null, int $attempts = 3): array
{
    $key ??= bin2hex(random_bytes(16));
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => ['Authorization: Bearer ' . env('BILLHOOK_KEY'), 'Content-Type: application/json', "Idempotency-Key: $key"],
        'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        'ignore_errors' => true,
        'timeout' => 30,
    ]]);
    $text = @file_get_contents(env('BILLHOOK_URL') . '/v1' . $path, false, $context);
    $status = (int) explode(' ', $http_response_header[0] ?? 'none 0')[1];
    if (($text === false || $status === 429 || $status >= 500) && $attempts > 1) {
        sleep(1);
        return api($method, $path, $body, $key, $attempts - 1);
    }
    if ($text === false || $status >= 400) throw new RuntimeException("$method $path: $status $text");
    return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
}

function is_genuine(string $header, string $rawBody, string $secret): bool
{
    if (!preg_match('/^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/D', $header, $match)) return false;
    [, $t, $signatures] = $match;
    if (abs(time() - (int) $t) > 300) return false;
    $expected = hash_hmac('sha256', $t . '.' . $rawBody, $secret);
    foreach (array_slice(explode(',v1=', $signatures), 1) as $v1) {
        if (hash_equals($expected, $v1)) return true;
    }
    return false;
}

/**
 * The file gets its name when it is complete, so a crash leaves no half event. In production, use a table whose primary key is the event id.
 * Only the user of this program can read the file, so the program that processes the events must run as the same user.
 */
function store(string $id, string $payload): void
{
    $file = env('EVENTS_DIRECTORY') . '/' . basename($id) . '.json';
    $draft = tempnam(env('EVENTS_DIRECTORY'), 'draft');
    $isWritten = file_put_contents($draft, $payload) === strlen($payload);
    if ($isWritten) @link($draft, $file); // The link of a duplicate fails, because the file exists.
    unlink($draft);
    if (!is_file($file)) throw new RuntimeException("The event $id was not stored.");
}

$route = $_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

if ($route === 'POST /webhooks') {
    $rawBody = file_get_contents('php://input');
    if (!is_genuine($_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '', $rawBody, env('WEBHOOK_SECRET'))) {
        http_response_code(400);
        exit('wrong signature');
    }
    $event = json_decode($rawBody, true, flags: JSON_THROW_ON_ERROR);
    if ($event['eventName'] !== 'webhook.setup') store($event['id'], $rawBody);
    http_response_code(204);
} elseif ($route === 'GET /') {
    echo '<h1>Team</h1><form method="post" action="/buy"><button>Buy three seats</button></form>';
} elseif ($route === 'POST /buy') {
    $shop = 'http://' . $_SERVER['HTTP_HOST'];
    $checkout = api('POST', '/checkouts', [
        'products' => [['id' => env('PLAN_ID'), 'quantity' => 3, 'metadata' => ['workspace' => 'ws_1']]],
        'redirectUrlSuccess' => "$shop/account",
        'redirectUrlCanceled' => $shop,
    ]);
    header('Location: ' . $checkout['links']['checkoutUrl']['href'], true, 303);
} else {
    http_response_code(404);
}
