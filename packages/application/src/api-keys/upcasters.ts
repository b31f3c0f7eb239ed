/** How events of keys that were kept in an older shape are read. */
import { currentVersions, isJsonObject, type Upcaster, type Upcasters } from '@pricebook/domain';
import type { ApiKeyEvent } from './events';

/**
 * Version 1 had no keys that expire. An expiry is a new version and no optional field, so that a service of before
 * names an event that it cannot read, and does not take an expired key for one that never does.
 */
const withoutExpiry: Upcaster = (data) => (isJsonObject(data) ? { ...data, expiresAt: null } : data);

export const upcasters: Upcasters<ApiKeyEvent['type']> = {
  ApiKeyIssued: [withoutExpiry],
  ApiKeyRenamed: [],
  ApiKeyRevoked: [],
};

/** By type, the version of the shape in which events of keys are kept now. */
export const apiKeyEventVersions = currentVersions(upcasters);
