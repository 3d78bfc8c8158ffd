import { type Cause, invalidCause } from '../../schema/cause.ts';
import { validateSubdomain } from '../../schema/metadata/names.ts';
import { CelEngine } from '../../schema/cel/engine.ts';
import { validateNamed } from './checks.ts';

const identifierPattern = '[A-Za-z_][A-Za-z0-9_]*';
const identifierProblem = `a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '${identifierPattern}')`;
const longestIdentifier = 32;

/** The problems of the name of an attribute or a capacity of a device: an identifier, with a domain or without. */
export function deviceNameCauses(name: string, field: string): Cause[] {
  const parts = name.split('/');
  const last = parts.at(-1) ?? '';
  const domain = parts.length > 1 ? parts[0] : undefined;
  // With more parts, a name is neither of both, and a real server does not look at it.
  if (parts.length > 2) return [];
  return [
    ...(domain === undefined ? [] : validateNamed(field, domain, validateSubdomain)),
    ...(last.length > longestIdentifier
      ? [
          {
            reason: 'FieldValueTooLong' as const,
            message: `Too long: may not be more than ${longestIdentifier} bytes`,
            field,
          },
        ]
      : []),
    ...(new RegExp(`^${identifierPattern}$`).test(last) ? [] : [invalidCause(field, last, identifierProblem)]),
  ];
}

/** The problems of a name that has to have a domain. */
export const qualifiedDeviceNameCauses = (name: string, field: string): Cause[] => [
  ...deviceNameCauses(name, field),
  ...(name.includes('/')
    ? []
    : [invalidCause(field, name, 'a fully qualified name must be a domain and a name separated by a slash')]),
];

const selectorEngine = new CelEngine();

/** The problems of an expression that selects devices: it is about `device`, and says yes or no. */
export function selectorExpressionCauses(expression: string, field: string): Cause[] {
  const refuse = (because: string): Cause[] => [invalidCause(field, expression, because)];
  if (expression === '')
    return refuse("compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>'");
  try {
    selectorEngine.compile({ rule: expression }, {});
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(`compilation failed: ${error.message}`);
  }
  const problem = plainExpressionProblem(expression, ['device'], 'bool');
  if (problem === undefined) return [];
  return refuse(isNumeric(expression) ? 'must evaluate to bool or the unknown type, not int' : problem);
}

const isNumeric = (expression: string): boolean => /^[\s\d.+*/%()-]*\d[\s\d.+*/%()-]*$/.test(expression);

/** What is wrong with an expression that can be told without its types. */
export function plainExpressionProblem(expression: string, given: readonly string[], type: string): string | undefined {
  const [unknown] = freeNames(expression).filter((name) => !knownNames.has(name) && !given.includes(name));
  if (unknown !== undefined)
    return `compilation failed: ERROR: <input>: undeclared reference to '${unknown}' (in container '')`;
  return type !== 'any' && isNumeric(expression) ? `must evaluate to ${type} but got int` : undefined;
}

/** What an expression may name: the device, what it binds itself, and the functions and types of the language. */
const knownNames: ReadonlySet<string> = new Set(
  'cel true false null in has size int uint double string bool bytes list map type dyn quantity isQuantity semver isSemver timestamp duration matches url isURL ip cidr isIP isCIDR'.split(
    ' ',
  ),
);

/** The names that stand alone in a plain expression: no members, no texts. Calls and literals may bind names of their own. */
function freeNames(expression: string): string[] {
  if (/[({[]/.test(expression)) return [];
  const plain = expression.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  return [...plain.matchAll(/(?<![\w.])([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
}
