import { readOwn } from '@nodewright/apis';
import { BlockList, isIP } from 'node:net';

/** Variables of a process. The lower case spelling of a variable goes before the upper case one. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

type ProxyTarget = {
  readonly protocol: 'http:' | 'https:';
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
};

/**
 * The proxy for a target: `HTTPS_PROXY` or `HTTP_PROXY`, unless `NO_PROXY` excludes the target. The same as for kubectl and
 * the AWS command line: nothing on this machine is reached through a proxy, an entry of `NO_PROXY` is a name with all its
 * subdomains, a `.suffix`, an address, a CIDR or `*`, each with a port if wanted.
 * @throws Error for a proxy that is no http or https URL
 */
export function proxyFor(target: ProxyTarget, environment: ProxyEnvironment): URL | undefined {
  const named = readVariable(environment, target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (named === '' || isLocalHost(target.host)) return undefined;
  const excluded = readVariable(environment, 'NO_PROXY')
    .split(',')
    .map((entry) => entry.trim().toLowerCase());
  return excluded.some((entry) => entry !== '' && excludesTarget(entry, target)) ? undefined : proxyUrl(named);
}

const readVariable = (environment: ProxyEnvironment, name: string): string =>
  readOwn(environment, name.toLowerCase()) || readOwn(environment, name) || '';

/** `proxy.corp:3128` is http. */
function proxyUrl(named: string): URL {
  const text = named.includes('://') ? named : `http://${named}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new Error(`the proxy ${named.replace(/\/\/.*@/, '//')} is no http or https URL`);
}

const isLocalHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d+){3}$/.test(host);

function excludesTarget(entry: string, { host, port }: ProxyTarget): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isIP(host) !== 0 && isInNetwork(host, networkOf(entry));
  const { name, port: onPort } = splitPort(entry);
  if (onPort !== undefined && onPort !== port) return false;
  const wanted = host.toLowerCase();
  const suffix = name.replace(/^\*?\./, '');
  return name === suffix ? wanted === name || wanted.endsWith(`.${name}`) : wanted.endsWith(`.${suffix}`);
}

/** `[::1]:8080`, `example.com:443`, `::1`. */
function splitPort(entry: string): { readonly name: string; readonly port?: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry);
  if (match === null) return { name: entry };
  return { name: match[1] ?? match[2] ?? '', ...(match[3] === undefined ? {} : { port: Number(match[3]) }) };
}

function networkOf(cidr: string): BlockList {
  const network = new BlockList();
  const [address = '', bits = ''] = cidr.split('/');
  const family = isIP(address);
  const isPrefix = /^\d+$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32);
  if (family !== 0 && isPrefix) network.addSubnet(address, Number(bits), family === 6 ? 'ipv6' : 'ipv4');
  return network;
}

const isInNetwork = (address: string, network: BlockList): boolean =>
  network.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
