import type { HeaderName } from './headers';
import type { Deprecation } from './operation';

/** That an operation is going to be removed, and when: RFC 9745 and RFC 8594. */
export const deprecationHeaders = ({ since, sunset }: Deprecation): Record<string, string> => ({
  Deprecation: `@${String(Math.floor(Date.parse(since) / 1_000))}`,
  ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
});

/** What a document says of it. `x-sunset` is for oasdiff, which lets an operation go from that day on. */
export const deprecationSaid = ({ sunset }: Deprecation): object => ({
  deprecated: true,
  ...(sunset !== undefined && { 'x-sunset': sunset.slice(0, 10) }),
});

export const deprecationHeaderNames = ({ sunset }: Deprecation): readonly HeaderName[] => [
  'Deprecation',
  ...(sunset === undefined ? [] : (['Sunset'] as const)),
];
