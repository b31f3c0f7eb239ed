/**
 * For every test: the seed of the run for its property tests; time limits for what hangs and not for slow machines; and
 * no promise may be rejected where nothing listens,
 * which mocha would pass over, and which ends a service. The test that does so fails; the others go on.
 */
const fc = require('fast-check');
const { Runnable } = require('mocha');

const seed = process.env.FAST_CHECK_SEED;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

// Tests may replace it.
const { setImmediate } = globalThis;

const rejections = [];
const note = (reason) => rejections.push(reason);

/** The first rejection since the last look, as the error of a test. */
const strayIn = (title) => {
  const [first] = rejections.splice(0);
  if (first === undefined) return undefined;
  return new Error(`a promise was rejected where nothing listens, during "${title}"`, { cause: first });
};

const HANGS_MS = 180_000;
const { run, timeout } = Runnable.prototype;
Runnable.prototype.timeout = function (ms) {
  if (ms === undefined) return timeout.call(this);
  return timeout.call(this, ms === 0 ? 0 : Math.max(ms, HANGS_MS));
};

let last = 'no test';
let isClean = true;
// Not in an afterEach hook: one that throws makes mocha leave out the tests that remain.
Runnable.prototype.run = function (done) {
  const end = (error) => {
    if (error) isClean = false;
    done(error);
  };
  if (this.type !== 'test') return run.call(this, end);
  last = this.fullTitle();
  // Node tells of a rejection when the turn that caused it is over.
  return run.call(this, (error) => setImmediate(() => end(error ?? strayIn(last))));
};

/** What a failed file left open is of its own modules: the next file in this process loads them again. */
const forgetModules = () => {
  for (const file of Object.keys(require.cache)) {
    if (/[\\/]packages[\\/][^\\/]+[\\/]dist[\\/]/.test(file)) delete require.cache[file];
  }
  isClean = true;
};

exports.mochaHooks = {
  // Again for each file: a worker of mocha's takes all listeners away after a file.
  beforeAll() {
    process.on('unhandledRejection', note);
  },
  afterAll() {
    process.off('unhandledRejection', note);
    if (!isClean) forgetModules();
    const stray = strayIn(`${last}, or after it`);
    if (stray !== undefined) throw stray;
  },
};
