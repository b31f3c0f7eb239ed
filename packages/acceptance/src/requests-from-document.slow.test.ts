import { describeRequestsFromDocument, MANY } from './api-suite/requests-from-document';

/** By FUZZ_RUNS, for more than a test run has time for. */
describeRequestsFromDocument(Number(process.env['FUZZ_RUNS'] ?? MANY));
