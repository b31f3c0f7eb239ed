export { createHttpApp, type HttpAppParts } from './app';
export { readTime } from './date-time';
export { createOperationsApp } from './operations';
export { historyEntryBody } from './routes/history';
export { createHttpServer } from './server';
