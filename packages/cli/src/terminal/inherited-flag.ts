/**
 * What to say about a flag that the command line library takes for a known one because every object has a member of
 * that name: `--constructor`. `undefined` when there is none.
 */
export function describeInheritedFlag(args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  const flags = (end === -1 ? args : args.slice(0, end)).filter((arg) => /^--[a-z]/i.test(arg));
  const wrong = flags.map((flag) => flag.slice(2).split('=', 1).join('')).find(isInherited);
  return wrong === undefined ? undefined : `there is no flag --${wrong}; see --help`;
}

/** As the library looks for it: as it is written, in camel case, and without the `no` that switches a flag off. */
function isInherited(name: string): boolean {
  const forms = [
    name,
    name.replace(/^no-/, ''),
    name.replace(/^no([A-Z])/, (_all, letter: string) => letter.toLowerCase()),
  ];
  return forms.flatMap((form) => [form, camelCase(form)]).some((form) => Object.hasOwn(Object.prototype, form));
}

const camelCase = (name: string): string =>
  name.replaceAll(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase());
