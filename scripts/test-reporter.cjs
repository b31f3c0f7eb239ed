/** mocha's own report, then what was skipped, aloud, and one plain line with the counts. */
const { reporters, Runner } = require('mocha');

const { EVENT_RUN_END, EVENT_TEST_PENDING } = Runner.constants;

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    runner.on(EVENT_TEST_PENDING, (test) => skipped.push(test.fullTitle()));
    runner.once(EVENT_RUN_END, () => {
      if (skipped.length > 0) console.log(`\nSKIPPED:\n${skipped.map((title) => `  - ${title}`).join('\n')}`);
      const { passes, failures, pending } = runner.stats;
      console.log(`\n${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
    });
  }
};
