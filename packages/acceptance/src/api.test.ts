/** The whole HTTP API on embedded stores. */
import { describeApi } from './api-suite/suite';
import { startTestService } from './testing/test-service';

describeApi('embedded', () => startTestService());
