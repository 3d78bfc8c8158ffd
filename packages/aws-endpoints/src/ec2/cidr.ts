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
