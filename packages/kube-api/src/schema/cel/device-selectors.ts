import { oncePerText } from './once-per-text.ts';
import { type CelProgram, CelPrograms } from './programs.ts';
import { CelQuantity } from './library.ts';

const devicePrograms = new CelPrograms({ variables: ['device'] });

const compileSelector = oncePerText((text): CelProgram | undefined => {
  try {
    return devicePrograms.compile(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
});

type SelectorAttribute = {
  readonly string?: string;
  readonly int?: number;
  readonly bool?: boolean;
  readonly version?: string;
};

type SelectorDevice = {
  readonly driver: string;
  readonly attributes?: Readonly<Record<string, SelectorAttribute>>;
  readonly capacity?: Readonly<Record<string, { readonly value: string }>>;
};

/**
 * Whether the expression of a selector holds for a device: `device.driver`, `device.attributes["DOMAIN"].NAME` and
 * `device.capacity["DOMAIN"].NAME`. A name without a domain belongs to that of the driver. An expression that fails, as for
 * a domain without names, does not hold. Versions are texts.
 */
export function isDeviceSelected(
  expression: string,
  { driver, attributes = {}, capacity = {} }: SelectorDevice,
): boolean {
  const device = new Map<string, unknown>([
    ['driver', driver],
    ['attributes', byDomain(driver, attributes, valueOfAttribute)],
    ['capacity', byDomain(driver, capacity, ({ value }) => new CelQuantity(value))],
  ]);
  const found = compileSelector(expression)?.({ device });
  return found?.kind === 'value' && found.value === true;
}

const valueOfAttribute = ({ string, int, bool, version }: SelectorAttribute): unknown =>
  string ?? bool ?? version ?? (int === undefined ? null : BigInt(int));

function byDomain<T>(
  driver: string,
  members: Readonly<Record<string, T>>,
  valueOf: (member: T) => unknown,
): ReadonlyMap<string, unknown> {
  const domains = new Map<string, Map<string, unknown>>();
  for (const [qualified, member] of Object.entries(members)) {
    const slash = qualified.indexOf('/');
    const domain = slash < 0 ? driver : qualified.slice(0, slash);
    const names = domains.get(domain) ?? new Map<string, unknown>();
    names.set(qualified.slice(slash + 1), valueOf(member));
    domains.set(domain, names);
  }
  return domains;
}
