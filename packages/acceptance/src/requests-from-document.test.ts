/** Some of the requests; requests-from-document.slow.test.ts sends many. */
import { describeRequestsFromDocument } from './api-suite/requests-from-document';

describeRequestsFromDocument(100);
