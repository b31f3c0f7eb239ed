import { expect } from 'chai';
import { newClient } from './new-client';

/* eslint-disable no-console -- The client warns there, and nowhere else. */

describe('a client of EventStoreDB', () => {
  /** Everything that comes of a URL, where anybody may see it. */
  const saidOf = (url: string): string => {
    const said: string[] = [];
    const { warn } = console;
    console.warn = (...words: unknown[]) => said.push(words.join(' '));
    try {
      newClient(url);
    } catch (failure) {
      said.push(failure instanceof Error ? `${failure.message} ${JSON.stringify(failure)}` : '');
    } finally {
      console.warn = warn;
    }
    return said.join('\n');
  };

  it('never says its URL, which holds a password, where an option or the URL is wrong', () => {
    for (const [rest, says] of [
      ['@127.0.0.1:2113?tsl=false', 'tsl'],
      ['@127.0.0.1:2113?tls=true&tlsVerifyCert=false', 'tlsVerifyCert'],
      ['@127.0.0.1:2113?tls=maybe', 'expected true or false'],
      ['', 'malformed: expected port number'],
      ['%@127.0.0.1', 'malformed'],
    ] as const) {
      const said = saidOf(`esdb://admin:s3cret${rest}`);
      expect(said, rest).to.include(says).and.not.include('s3cret');
    }
    expect(saidOf('esdb+discover://admin:s3cret@127.0.0.1?tsl=false')).not.to.include('s3cret');
  });
});
