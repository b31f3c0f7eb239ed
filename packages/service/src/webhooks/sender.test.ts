/** Receivers that fail, hang and lie. */
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { readAllowedReceivers } from './receivers';
import { createWebhookSender, type SenderOptions } from './sender';

const never = new AbortController().signal;

const senderWith = (list: string, options: SenderOptions = {}) => {
  const allowed = readAllowedReceivers(list);
  if (allowed === undefined) throw new Error('the list cannot be read');
  return createWebhookSender(allowed, options);
};

describe('the sender of webhooks', () => {
  const servers: net.Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.close();
      if (server instanceof http.Server) server.closeAllConnections();
    }
  });

  const listen = async (server: net.Server): Promise<string> => {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  };
  const receive = (handler: http.RequestListener): Promise<string> => listen(http.createServer(handler));
  const post = (url: string, list = '127.0.0.1', options: SenderOptions = {}) =>
    senderWith(list, options).post(url, { 'webhook-id': 'm' }, '{"a":"é"}', never);

  it('posts JSON and answers with the status', async () => {
    const got: unknown[] = [];
    const at = await receive((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { method, url, headers } = request;
        got.push({ method, url, id: headers['webhook-id'], type: headers['content-type'] });
        got.push(Buffer.concat(pieces).toString());
        response.writeHead(202).end('thanks');
      });
    });
    expect(await post(`http://${at}/hooks?a=1`)).to.deep.equal({ _tag: 'Answered', status: 202 });
    expect(got).to.deep.equal([
      { method: 'POST', url: '/hooks?a=1', id: 'm', type: 'application/json; charset=utf-8' },
      '{"a":"é"}',
    ]);
  });

  it('follows no redirect', async () => {
    let asked = 0;
    const target = await receive((_request, response) => {
      asked += 1;
      response.end();
    });
    const at = await receive((_request, response) => {
      response.writeHead(307, { location: `http://${target}/` }).end();
    });
    expect(await post(`http://${at}/`)).to.deep.equal({ _tag: 'Answered', status: 307 });
    expect(asked).to.equal(0);
  });

  it('takes a status for an answer, and reads no endless body', async () => {
    let closed: Promise<unknown> | undefined;
    const at = await receive((_request, response) => {
      response.writeHead(200);
      closed = once(response, 'close');
      const pour = (): void => {
        if (!response.destroyed) response.write(Buffer.alloc(16 * 1024), () => setImmediate(pour));
      };
      pour();
    });
    expect(await post(`http://${at}/`)).to.deep.equal({ _tag: 'Answered', status: 200 });
    await closed;
  });

  it('gives up a receiver that does not answer, sends heads without end, or resolves for ever', async () => {
    const silent = await listen(net.createServer(() => undefined));
    const dripping = await listen(
      net.createServer((socket) => {
        socket.on('error', () => undefined);
        const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 10);
        socket.on('close', () => {
          clearInterval(timer);
        });
      }),
    );
    const limitMs = 200;
    for (const at of [silent, dripping]) {
      const outcome = await post(`http://${at}/`, '127.0.0.1', { limitMs });
      expect(outcome).to.deep.equal({ _tag: 'Failed', reason: 'there was no answer within 0.2 s' });
    }
    const resolve = () => new Promise<never>(() => undefined);
    const unresolved = await post('https://shop.example/', '', { limitMs, resolve });
    expect(unresolved).to.deep.equal({ _tag: 'Failed', reason: 'there was no answer within 0.2 s' });
  });

  it('says nothing of what a receiver has sent that is not HTTP, or not TLS', async () => {
    const at = await listen(net.createServer((socket) => socket.end('s3cret\r\n\r\n')));
    for (const url of [`http://${at}/`, `https://${at}/`]) {
      const outcome = await post(url);
      expect(outcome._tag === 'Failed' && outcome.reason).to.match(/^the connection failed \(\w+\)$/);
    }
    const heads = await listen(
      net.createServer((socket) => {
        socket.on('error', () => undefined);
        socket.write(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1_000)}\r\n`.repeat(100)}\r\n`);
      }),
    );
    expect(await post(`http://${heads}/`)).to.have.property('_tag', 'Failed');
  });

  it('refuses what is not public, also where the name meant something else before', async () => {
    let asked = 0;
    const at = await receive((_request, response) => {
      asked += 1;
      response.end();
    });
    const port = at.split(':')[1] ?? '';
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]']) {
      const outcome = await post(`https://${host}:${port}/`, '');
      expect(outcome._tag === 'Failed' && outcome.reason, host).to.include('not public');
      expect(await senderWith('').refusal(`https://${host}:${port}/`), host).to.include('not public');
    }
    const answers = ['93.184.215.14', '127.0.0.1'];
    const sender = senderWith('', {
      resolve: () => Promise.resolve([{ address: answers.shift() ?? '127.0.0.1', family: 4 }]),
    });
    const url = `https://rebinding.example:${port}/`;
    expect(await sender.refusal(url)).to.equal(undefined);
    const outcome = await sender.post(url, {}, '', never);
    expect(outcome._tag === 'Failed' && outcome.reason).to.include('not public');
    expect(asked).to.equal(0);
  });

  it('says that a host does not resolve, and breaks off when it is told to', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await senderWith('', { resolve }).refusal('https://shop.invalid/')).to.include('does not resolve');
    expect(await post('https://shop.invalid/', '', { resolve })).to.deep.equal({
      _tag: 'Failed',
      reason: 'its host does not resolve',
    });
    const at = await listen(net.createServer(() => undefined));
    const stopping = new AbortController();
    const sending = senderWith('127.0.0.1').post(`http://${at}/`, {}, '', stopping.signal);
    stopping.abort();
    expect(await sending).to.have.property('_tag', 'Failed');
  });
});
