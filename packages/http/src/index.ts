export { createHttpApp, type HttpAppParts } from './app';
export { createOperationsApp } from './operations';
export { apiRoutes } from './routes';
export { apiKeyBody, issuedKeyBody } from './routes/api-keys';
export { historyEntryBody } from './routes/history';
export { createHttpServer } from './server';
