/**
 * Set before anything else runs. V8 watches where objects come from that outlive a collection or two, and from then on
 * makes those of the same places in the old space. Large writes outlive several, so after some of them the requests and
 * answers of Node would all be made there, also those that are gone within milliseconds: each collection then copies
 * what such garbage refers to, and a price takes half as long again (docs/speed.md).
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-allocation-site-pretenuring');
