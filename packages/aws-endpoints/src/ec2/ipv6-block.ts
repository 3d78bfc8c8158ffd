/** A block of IPv6 addresses: eight groups of 16 bits, of which the first bits are fixed. */
export type Ipv6Block = { readonly groups: readonly number[]; readonly bits: number };

const groupCount = 8;
const groupBits = 16;

/** Reads `2600:1f18:1:ab00::/56`; `undefined` for a text that is none, or whose free bits are not zero. */
export function readIpv6Block(text: string): Ipv6Block | undefined {
  const [, address = '', length = ''] = /^([0-9a-fA-F:]+)\/(\d{1,3})$/.exec(text) ?? [];
  const groups = readHexGroups(address);
  const bits = Number(length);
  if (groups === undefined || length === '' || bits > groupCount * groupBits) return undefined;
  const block = { groups, bits };
  return groups.every((group, at) => (group & maskAt(bits, at)) === group) ? block : undefined;
}

function readHexGroups(address: string): readonly number[] | undefined {
  const [head = '', tail, ...more] = address.split('::');
  if (more.length > 0) return undefined;
  const read = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((each) => parseInt(each, 16));
  const [first, last] = [read(head), read(tail ?? '')];
  const missing = groupCount - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...first, ...Array.from({ length: missing }, () => 0), ...last];
  return groups.some((group) => Number.isNaN(group) || group > 0xff_ff) ? undefined : groups;
}

/** The fixed bits of one group. */
function maskAt(bits: number, at: number): number {
  const fixed = Math.min(groupBits, Math.max(0, bits - at * groupBits));
  return (0xff_ff << (groupBits - fixed)) & 0xff_ff;
}

export const containsIpv6Block = (outer: Ipv6Block, inner: Ipv6Block): boolean =>
  inner.bits >= outer.bits &&
  outer.groups.every((group, at) => ((inner.groups[at] ?? 0) & maskAt(outer.bits, at)) === group);

export const overlapsIpv6Block = (a: Ipv6Block, b: Ipv6Block): boolean =>
  containsIpv6Block(a, b) || containsIpv6Block(b, a);

/** Writes a block whose last four groups are free. */
export const ipv6BlockText = ({ groups, bits }: Ipv6Block): string =>
  `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/${bits}`;
