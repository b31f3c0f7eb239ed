/**
 * mocha's own report, then what was skipped, aloud. Counts and the files that ran go to RESULT_FILE, so that a run that
 * ends early is noticed.
 */
const fs = require('node:fs');
const { reporters, Runner } = require('mocha');

const { EVENT_RUN_END, EVENT_TEST_END, EVENT_TEST_PENDING } = Runner.constants;

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    const files = new Set();
    runner.on(EVENT_TEST_PENDING, (test) => skipped.push(test.fullTitle()));
    runner.on(EVENT_TEST_END, (test) => files.add(test.file));
    runner.once(EVENT_RUN_END, () => {
      if (skipped.length > 0) console.log(`\nSKIPPED:\n${skipped.map((title) => `  - ${title}`).join('\n')}`);
      const { passes, failures, pending } = runner.stats;
      const { RESULT_FILE } = process.env;
      if (RESULT_FILE !== undefined) {
        fs.writeFileSync(RESULT_FILE, JSON.stringify({ passes, failures, pending, files: [...files] }));
      }
    });
  }
};
