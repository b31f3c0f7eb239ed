export { createHttpApp, type HttpAppParts } from './app';
export { createOperationsApp } from './operations';
export { historyEntryBody } from './routes/history';
export { createHttpServer } from './server';
