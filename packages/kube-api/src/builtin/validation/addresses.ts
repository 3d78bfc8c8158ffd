import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { type Cause, invalidCause } from '../../schema/cause.ts';

export type AddressFamily = 'IPv4' | 'IPv6';

export const familyOf = (address: string): AddressFamily => (isIPv6(address) ? 'IPv6' : 'IPv4');

export const isAddress = (text: string): boolean => isIP(text) !== 0;

export const validateAddress = (field: string, text: string): Cause[] =>
  isAddress(text) ? [] : [invalidCause(field, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];

/** A block of addresses: the first address and the length of its prefix. */
export type AddressBlock = { readonly address: string; readonly family: AddressFamily; readonly prefix: number };

/** Reads a block such as `10.0.0.0/8`; undefined for what is none. */
export function parseBlock(text: string): AddressBlock | undefined {
  const [address = '', length = '', ...more] = text.split('/');
  if (more.length > 0 || !isAddress(address) || !/^(0|[1-9][0-9]{0,2})$/.test(length)) return undefined;
  const prefix = Number(length);
  return prefix > (isIPv4(address) ? 32 : 128) ? undefined : { address, family: familyOf(address), prefix };
}

export const validateBlock = (field: string, text: string): Cause[] =>
  parseBlock(text) === undefined
    ? [invalidCause(field, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
    : [];

const familyName = (family: AddressFamily): 'ipv4' | 'ipv6' => (family === 'IPv4' ? 'ipv4' : 'ipv6');

/** Whether a block contains another one and is larger. */
export function isLargerBlock(block: AddressBlock, inner: AddressBlock): boolean {
  if (block.family !== inner.family || block.prefix >= inner.prefix) return false;
  return isInBlock(inner.address, block);
}

function isInBlock(address: string, { address: first, family, prefix }: AddressBlock): boolean {
  const list = new BlockList();
  list.addSubnet(first, prefix, familyName(family));
  return familyOf(address) === family && list.check(address, familyName(family));
}

/** Whether the address of a block is the first one of the block. */
export function isWholeBlock(text: string): boolean {
  const block = parseBlock(text);
  if (block === undefined) return false;
  const { address, family, prefix } = block;
  const bits = addressBits(address, family);
  return !bits.slice(prefix).includes('1');
}

/** The bits of an address as a text of zeros and ones. */
function addressBits(address: string, family: AddressFamily): string {
  if (family === 'IPv4')
    return address
      .split('.')
      .map((part) => toBits(Number(part), 8))
      .join('');
  // URL writes an IPv6 address in one form, with hexadecimal groups alone.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = text.split('::');
  const groupsIn = (part: string): string[] => part.split(':').filter((group) => group !== '');
  const [first, last] = [groupsIn(head), groupsIn(tail)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].map((group) => toBits(Number.parseInt(group, 16), 16)).join('');
}

const toBits = (value: number, length: number): string => value.toString(2).padStart(length, '0');

const specialBlocks: readonly (readonly [problem: string, blocks: readonly string[]])[] = [
  ['may not be unspecified (0.0.0.0 or ::)', ['0.0.0.0/32', '::/128']],
  ['may not be in the loopback range (127.0.0.0/8, ::1/128)', ['127.0.0.0/8', '::1/128']],
  ['may not be in the link-local range (169.254.0.0/16, fe80::/10)', ['169.254.0.0/16', 'fe80::/10']],
  ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)', ['224.0.0.0/24', 'ff02::/16']],
];

/** Validates the address of an endpoint, which other nodes must be able to reach. */
export const validateReachable = (field: string, address: string): Cause[] =>
  specialBlocks
    .filter(([, blocks]) => blocks.some((text) => isInBlockText(address, text)))
    .map(([problem]) => invalidCause(field, address, problem));

function isInBlockText(address: string, text: string): boolean {
  const block = parseBlock(text);
  return block !== undefined && isInBlock(address, block);
}
