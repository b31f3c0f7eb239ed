export { createHttpApp, type HttpAppParts } from './app';
export { createOperationsApp } from './operations';
export { createHttpServer } from './server';
