import { Writable } from 'node:stream';
import { expect } from 'chai';
import Koa from 'koa';
import pino from 'pino';
import { logUnsent } from './unsent';

/** The levels of the lines that the log has of an error. */
const levelsOf = (error: Error): readonly unknown[] => {
  const levels: unknown[] = [];
  const sink = new Writable({
    write: (line: Buffer, _encoding, done) => {
      levels.push((JSON.parse(line.toString()) as Readonly<Record<string, unknown>>)['level']);
      done();
    },
  });
  const app = new Koa();
  logUnsent(app, pino({ level: 'debug' }, sink));
  app.emit('error', error, {});
  return levels;
};

describe('an answer that could not be sent', () => {
  it('is news to operators, but not where a client has hung up, which anyone can do all the time', () => {
    const { debug, warn } = pino.levels.values;
    for (const code of ['ECONNRESET', 'EPIPE']) {
      expect(levelsOf(Object.assign(new Error(`write ${code}`), { code })), code).to.deep.equal([debug]);
    }
    expect(levelsOf(new Error('something else'))).to.deep.equal([warn]);
  });
});
