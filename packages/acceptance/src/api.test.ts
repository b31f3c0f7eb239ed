/** The whole HTTP API on embedded stores; with a server in api-on-servers.slow.test.ts. */
import { describeApi } from './api-suite/suite';
import { startTestService } from './testing/test-service';

describeApi('embedded', () => startTestService());
