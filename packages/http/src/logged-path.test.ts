import { expect } from 'chai';
import { serveApp } from './testing/serve-app';
import { loggedPath } from './logged-path';

const KEY = 'pbk_4qFy2KdM_Vq0hT8nZ3xLw7Rb2Yc5Kd9Jf4Gs6Pa1M0eUj2X';

describe('the path in the log', () => {
  it('shows of a key its id alone, as where one is to be revoked', async () => {
    const app = await serveApp();
    try {
      for (const path of [`/v1/api-keys/${KEY}`, `/${KEY}/${KEY}`]) await fetch(app.url + path);
      const log = app.log().join('');
      expect(log).to.include('"path":"/v1/api-keys/pbk_4qFy2KdM_…"').and.not.include('Vq0hT8nZ');
    } finally {
      app.close();
    }
  });

  it('is as it was sent otherwise, as far as there is room', () => {
    expect(loggedPath('/v1/pricebooks/pbk_/pbk_1/USD')).to.equal('/v1/pricebooks/pbk_/pbk_1/USD');
    expect(loggedPath(`/${'x'.repeat(5_000)}`)).to.have.length(1_024);
    expect(loggedPath(`/${'x'.repeat(1_000)}${KEY}`)).not.to.include('Vq0h');
  });
});
