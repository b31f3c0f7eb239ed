/** How events of keys that were kept in an older shape are read; the rules are those of price books. */
import type { ApiKeyEvent } from './events';

/** JSON in, JSON out, and pure. It never throws, and passes on what it does not know, which the codec then refuses. */
type Upcaster = (data: unknown) => unknown;

/**
 * Version 1 had no keys that expire. An expiry is a new version and no optional field, so that a service of before
 * names an event that it cannot read, and does not take an expired key for one that never does.
 */
const withoutExpiry: Upcaster = (data) =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data, expiresAt: null } : data;

/** By type, what leads from version 1 to 2, from 2 to 3 and so on: the current version is one more than there are. */
export const upcasters: Readonly<Record<ApiKeyEvent['type'], readonly Upcaster[]>> = {
  ApiKeyIssued: [withoutExpiry],
  ApiKeyRevoked: [],
};

/** By type, the version of the shape in which events of keys are kept now. */
export const apiKeyEventVersions = Object.fromEntries(
  Object.entries(upcasters).map(([type, steps]) => [type, steps.length + 1]),
) as Readonly<Record<ApiKeyEvent['type'], number>>;
