import { readOwn } from '@nodewright/apis';
import { conditionOperators } from './condition-operators.ts';
import type { IamPolicy, IamPolicyStatement, PolicyCondition, PolicyElement } from './iam-policy.ts';

/** A document that is no identity-based policy, or one with parts that the sandbox does not evaluate. */
export class IamPolicyError extends Error {
  override readonly name = 'IamPolicyError';
  /** Every mistake with its place, `Statement[2].Action: ...`. */
  readonly complaints: readonly string[];

  constructor(complaints: readonly string[]) {
    super(complaints.join('\n'));
    this.complaints = complaints;
  }
}

type Complain = (complaint: string) => void;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a policy document.
 * @throws IamPolicyError with every mistake
 */
export function parseIamPolicy(text: string): IamPolicy {
  const document = parseJsonDocument(text);
  const complaints: string[] = [];
  const complain = (complaint: string): void => void complaints.push(complaint);
  refuseUnknownFields(document, ['Version', 'Id', 'Statement'], '', complain);
  if (document['Version'] !== '2012-10-17') complain('Version: must be 2012-10-17');
  const given = document['Statement'];
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const statements = list.flatMap((each, index) => readStatement(each, `Statement[${index}]`, complain) ?? []);
  if (complaints.length > 0) throw new IamPolicyError(complaints);
  return { statements };
}

function parseJsonDocument(text: string): Fields {
  try {
    const document: unknown = JSON.parse(text);
    if (isPolicyElement(document)) return document;
  } catch (failure) {
    throw new IamPolicyError([`is no JSON: ${failure instanceof Error ? failure.message : String(failure)}`]);
  }
  throw new IamPolicyError(['must be a policy document: an object with Version and Statement']);
}

const isPolicyElement = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const statementFields = ['Sid', 'Effect', 'Action', 'NotAction', 'Resource', 'NotResource', 'Condition'];

function readStatement(value: unknown, place: string, complain: Complain): IamPolicyStatement | undefined {
  if (!isPolicyElement(value)) {
    complain(`${place}: must be a statement`);
    return undefined;
  }
  refuseUnknownFields(value, statementFields, place, complain);
  const effect = value['Effect'];
  if (effect !== 'Allow' && effect !== 'Deny') complain(`${place}.Effect: must be Allow or Deny`);
  return {
    sid: typeof value['Sid'] === 'string' ? value['Sid'] : place,
    effect: effect === 'Deny' ? 'Deny' : 'Allow',
    actions: readPatterns(value, 'Action', { place, complain, form: /^(?:\*|[\w-]+:[\w*?]+)$/ }),
    resources: readPatterns(value, 'Resource', { place, complain, form: /^(?:\*|arn:[^:]*:[^:]*:[^:]*:[^:]*:.+)$/ }),
    conditions: readPolicyConditions(value['Condition'], `${place}.Condition`, complain),
  };
}

type PatternRules = { readonly place: string; readonly complain: Complain; readonly form: RegExp };

function readPatterns(value: Fields, field: string, { place, complain, form }: PatternRules): PolicyElement {
  const [plain, opposite] = [readOwn(value, field), readOwn(value, `Not${field}`)];
  if ((plain === undefined) === (opposite === undefined))
    complain(`${place}: must have one of ${field} and Not${field}`);
  const isNegated = plain === undefined;
  const patterns = readTexts(plain ?? opposite, `${place}.${isNegated ? 'Not' : ''}${field}`, complain);
  for (const pattern of patterns.filter((each) => !form.test(each))) complain(`${place}.${field}: ${pattern} is none`);
  return { patterns, isNegated };
}

function readTexts(value: unknown, place: string, complain: Complain): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.flatMap((each) => (isScalar(each) ? [String(each)] : []));
  if (texts.length !== list.length) complain(`${place}: must be a text or a list of texts`);
  return texts;
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Reads the conditions of a statement. Adds a complaint for each condition that the sandbox does not evaluate. */
export function readPolicyConditions(
  value: unknown,
  place: string,
  complain: (complaint: string) => void,
): readonly PolicyCondition[] {
  if (value === undefined) return [];
  if (!isPolicyElement(value)) {
    complain(`${place}: must have operators, each with its keys`);
    return [];
  }
  return Object.entries(value).flatMap(([name, keys]) => {
    const operator = readOperator(name);
    if (operator === undefined) complain(`${place}.${name}: the sandbox does not know this operator`);
    if (!isPolicyElement(keys)) complain(`${place}.${name}: must have keys, each with its values`);
    if (operator === undefined || !isPolicyElement(keys)) return [];
    return Object.entries(keys).map(([key, values]) => ({
      ...operator,
      key,
      values: readTexts(values, `${place}.${name}.${key}`, complain),
    }));
  });
}

function readOperator(name: string): Pick<PolicyCondition, 'operator' | 'quantifier' | 'ifExists'> | undefined {
  const parts = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(name);
  const operator = parts?.[2] ?? '';
  if (operator !== 'Null' && !conditionOperators.has(operator)) return undefined;
  const quantifier = parts?.[1] === 'ForAllValues' || parts?.[1] === 'ForAnyValue' ? parts[1] : 'none';
  return { operator, quantifier, ifExists: parts?.[3] !== undefined };
}

function refuseUnknownFields(value: Fields, known: readonly string[], place: string, complain: Complain): void {
  for (const field of Object.keys(value).filter((each) => !known.includes(each)))
    complain(`${place === '' ? '' : `${place}.`}${field}: an identity-based policy has no such element`);
}
