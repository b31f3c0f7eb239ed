/** For tests of those who use this package. */
export { datedRequests, setsWhatHasEnded } from './testing/dated-requests';
export { createOracle, type Oracle, type OracleAnswer, type RequestJson } from './testing/oracle';
export { mutationsOf } from './testing/mutations';
export { read } from './testing/reading';
export { parameters, priceRequests } from './testing/price-requests';
export { arbitraryOf, createValidator, type ReferringSchema } from './testing/schema-arbitrary';
