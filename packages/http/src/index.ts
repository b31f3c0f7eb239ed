export { createHttpApp, type HttpAppParts } from './app';
export { createHttpServer } from './server';
