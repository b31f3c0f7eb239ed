/**
 * For every test: one seed for all property tests of a run, printed so that the run can be had again; and no promise
 * may be rejected where nobody listens, which mocha would pass over, and which ends a service.
 */
const fc = require('fast-check');

const seed = Number(process.env.FAST_CHECK_SEED ?? Math.floor(Math.random() * 2 ** 31));
fc.configureGlobal({ seed });
console.log(`Property tests use the seed ${seed}; the same run again: FAST_CHECK_SEED=${seed} npm test`);

const rejections = [];
process.on('unhandledRejection', (reason) => rejections.push(reason));

exports.mochaHooks = {
  afterEach() {
    const [first] = rejections.splice(0);
    if (first !== undefined) throw new Error('a promise was rejected where nobody listens', { cause: first });
  },
};
