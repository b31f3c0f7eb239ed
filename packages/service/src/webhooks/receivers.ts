/**
 * Where messages may be sent. Administrators name receivers, and the network of the service is not theirs: whatever is
 * not a public address is refused, unless the configuration allows it.
 */
import ipaddr from 'ipaddr.js';

type Network = ReturnType<typeof ipaddr.parseCIDR>;

export interface AllowedReceivers {
  /** Names of hosts, in lower case: whatever they resolve to, by http as well. */
  readonly hosts: ReadonlySet<string>;
  readonly networks: readonly Network[];
}

const NAME = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/;

/** An address, or a network such as 10.0.0.0/8; undefined where the text is neither. */
const networkOf = (text: string): Network | undefined => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  return ipaddr.parseCIDR(`${text}/${address.kind() === 'ipv4' ? '32' : '128'}`);
};

/** @returns undefined where one of the texts, separated by commas, is neither a host nor an address nor a network. */
export const readAllowedReceivers = (list: string): AllowedReceivers | undefined => {
  const hosts = new Set<string>();
  const networks: Network[] = [];
  for (const text of list.split(',').map((one) => one.trim().toLowerCase())) {
    if (text === '') continue;
    const network = networkOf(text);
    if (network !== undefined) networks.push(network);
    // What ends in digits is an address that is not well-formed.
    else if (NAME.test(text) && !/(^|\.)\d+$/.test(text)) hosts.add(text);
    else return undefined;
  }
  return { hosts, networks };
};

/** The host of a URL as the resolver takes it: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;

/**
 * @param addresses all that the host resolves to.
 * @returns why nothing may be sent there; undefined where it may.
 */
export const refusalOf = (
  { hosts, networks }: AllowedReceivers,
  url: URL,
  addresses: readonly string[],
): string | undefined => {
  if (hosts.has(hostOf(url).toLowerCase())) return undefined;
  // An IPv4 address that is mapped to IPv6 counts as itself.
  const parsed = addresses.map((address) => ipaddr.process(address));
  const isAllowed = (address: (typeof parsed)[number]): boolean =>
    networks.some((network) => network[0].kind() === address.kind() && address.match(network));
  if (!parsed.every((address) => address.range() === 'unicast' || isAllowed(address))) {
    return 'leads to an address that is not public; PRICEBOOK_WEBHOOK_ALLOWED_HOSTS can allow it';
  }
  return url.protocol === 'https:' || (parsed.length > 0 && parsed.every(isAllowed))
    ? undefined
    : 'must be an https URL; PRICEBOOK_WEBHOOK_ALLOWED_HOSTS can allow http';
};
