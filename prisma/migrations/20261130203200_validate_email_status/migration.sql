-- Checks all emails against the constraint of 20261130191136_unreadable_emails, which was added as NOT VALID. Sessions can read and write emails meanwhile.
ALTER TABLE emails VALIDATE CONSTRAINT emails_status;
