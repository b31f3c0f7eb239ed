/** Whose request it is, as far as the network tells. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

const MAPPED_IPV4 = '::ffff:';
const GROUPS = 8;
/** A customer has at least so much of an IPv6 address, and any number of addresses below it. */
const NETWORK_GROUPS = 4;

/** The network of an IPv6 address, such as 2001:db8:0:1::/64. */
const networkOf = (address: string): string => {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const between = tail === undefined ? 0 : Math.max(0, GROUPS - front.length - back.length);
  const groups = [...front, ...Array.from({ length: between }, () => '0'), ...back]
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
};

const named = (address: string): string => {
  const lower = address.toLowerCase();
  const plain =
    lower.startsWith(MAPPED_IPV4) && lower.includes('.') ? lower.slice(MAPPED_IPV4.length) : lower;
  return isIP(plain) === 6 ? networkOf(plain) : plain;
};

/** What some proxies write: an address with the port of the client, which is another one each time. */
const withPort = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/;

const withoutPort = (told: string): string => {
  const [, ipv4, ipv6] = withPort.exec(told) ?? [];
  return ipv4 ?? ipv6 ?? told;
};

/** As much of a request as tells. */
interface Request {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The address of a client: an IPv4 address, or the /64 of an IPv6 address.
 *
 * @param trustedProxies how many proxies stand before the service. Each adds to X-Forwarded-For who has asked it; what
 *   stands before that may be anyone's invention.
 */
export const clientAddressOf = ({ headers, socket }: Request, trustedProxies: number): string => {
  const forwarded = headers['x-forwarded-for'];
  if (trustedProxies > 0 && typeof forwarded === 'string') {
    const told = withoutPort(forwarded.split(',').slice(-trustedProxies)[0]?.trim() ?? '');
    if (isIP(told) !== 0) return named(told);
  }
  return named(socket.remoteAddress ?? '');
};
