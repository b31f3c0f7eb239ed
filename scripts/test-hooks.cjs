/** One seed for all property tests of a run, printed so that the run can be had again. */
const fc = require('fast-check');

const seed = Number(process.env.FAST_CHECK_SEED ?? Math.floor(Math.random() * 2 ** 31));
fc.configureGlobal({ seed });
console.log(`Property tests use the seed ${seed}; the same run again: FAST_CHECK_SEED=${seed} npm test`);
