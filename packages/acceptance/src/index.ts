/** For the campaigns, which drive the same service. */
export { allEvents, eventsAfter, expectFolderLikeRebuilt } from './testing/audit';
export { createBooks, type Load, startLoad } from './testing/load';
export { startCommand } from './testing/command';
export { codeIn, tableRows } from './testing/markdown';
export { type ServiceProcess, startProcess } from './testing/service-process';
export { TEST_KEY } from './testing/test-service';
export { verifyAsProcess } from './testing/verify';
