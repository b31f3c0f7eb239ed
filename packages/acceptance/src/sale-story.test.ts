/** The story of a sale in docs/prices.md, request by request, at the times that it names. */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { startTestService, type TestService } from './testing/test-service';

const page = fs.readFileSync(path.resolve(__dirname, '../../../docs/prices.md'), 'utf8');

interface Exchange {
  readonly method: string;
  readonly target: string;
  /** When it is sent. */
  readonly time: number;
  readonly json?: unknown;
  /** Absent where the page does not show the answer. */
  readonly answer?: unknown;
}

const readStory = (): readonly Exchange[] =>
  [...page.matchAll(/```http\n([^`]*)```\n(?:\n```json\n([^`]*)```)?/g)].map(([, request = '', answer]) => {
    const [head = '', body] = request.split('\n\n');
    const [, method = '', target = ''] = /^([A-Z]+) (\S+)/.exec(head) ?? [];
    const [, date = ''] = /^Date: (.*)$/m.exec(head) ?? [];
    return {
      method,
      target,
      time: Date.parse(date),
      ...(body !== undefined && { json: JSON.parse(body) as unknown }),
      ...(answer !== undefined && { answer: JSON.parse(answer) as unknown }),
    };
  });

describe('The sale of docs/prices.md', () => {
  let service: TestService;
  let book = '';
  const story = readStory();

  before(async () => {
    service = await startTestService();
    service.setAhead((story[0]?.time ?? 0) - Date.now());
    const { body } = await service.request('POST', '/v1/pricebooks', { json: { name: 'Retail' } });
    book = (body as { readonly id: string }).id;
  });

  after(async () => {
    await service.stop();
    service.remove();
  });

  it('has all its parts', () => {
    expect(story).to.have.length(11);
    expect(story.filter(({ answer }) => answer !== undefined)).to.have.length(7);
  });

  story.forEach(({ method, target, time, json, answer }, place) => {
    it(`${String(place + 1)}. ${new Date(time).toISOString()}: ${method} ${target}`, async () => {
      service.setAhead(time - Date.now());
      const given = await service.request(
        method,
        target.replace('{book}', book),
        json === undefined ? {} : { json },
      );
      expect(given.status, JSON.stringify(given.body)).to.equal(200);
      if (answer !== undefined) expect(given.body).to.deep.equal(answer);
    });
  });
});
