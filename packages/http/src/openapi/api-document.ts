import { apiRoutes } from '../routes';
import { openApiDocument } from './document';

/** The OpenAPI document of all operations below /v1, for those who make something of it without a running service. */
export const apiDocument = (): object => openApiDocument(apiRoutes);
