/** A block of IPv4 addresses; addresses are numbers here, so that they can be counted. */
export type Cidr = { readonly base: number; readonly bits: number };

export function parseCidr(text: string): Cidr {
  const [address = '', bits = ''] = text.split('/');
  return { base: addressNumber(address), bits: Number(bits) };
}

export const addressNumber = (text: string): number =>
  text.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);

export const formatAddress = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');

export const cidrText = ({ base, bits }: Cidr): string => `${formatAddress(base)}/${bits}`;

export const countAddresses = ({ bits }: Cidr): number => 2 ** (32 - bits);

/** Reads a block, and begins it at its own border as EC2 does; `undefined` for a text that is none. */
export function readCidr(text: string): Cidr | undefined {
  const [, ...numbers] = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text)?.map(Number) ?? [];
  const bits = numbers.pop();
  if (bits === undefined || bits > 32 || numbers.some((octet) => octet > 255)) return undefined;
  const size = 2 ** (32 - bits);
  return { base: Math.floor(parseCidr(text).base / size) * size, bits };
}

const lastAddress = (cidr: Cidr): number => cidr.base + countAddresses(cidr) - 1;

export const containsCidr = (outer: Cidr, inner: Cidr): boolean =>
  inner.base >= outer.base && lastAddress(inner) <= lastAddress(outer);

export const overlapsCidr = (a: Cidr, b: Cidr): boolean => a.base <= lastAddress(b) && b.base <= lastAddress(a);
