import { matchesWildcards, parseWildcards } from '../ec2/wildcards.ts';

/** Whether a value of the request meets a value of the policy. */
type MeetsValue = (actual: string, wanted: string) => boolean;

type ConditionOperator = {
  readonly meets: MeetsValue;
  /** A negated operator holds when no value of the policy is met, and when the key is absent. */
  readonly isNegated: boolean;
};

/** `*` stands for any text, `?` for one character. */
export const matchesIamWildcards: MeetsValue = (actual, wanted) =>
  matchesWildcards(parseWildcards(wanted.replaceAll('\\', '\\\\')), actual);

const isEqual: MeetsValue = (actual, wanted) => actual === wanted;

const isEqualIgnoringCase: MeetsValue = (actual, wanted) => actual.toLowerCase() === wanted.toLowerCase();

/** Each of the six parts of an ARN by itself, so that `*` does not reach over a colon. */
const matchesArn: MeetsValue = (actual, wanted) => {
  const [parts, patterns] = [splitArn(actual), splitArn(wanted)];
  return patterns.every((pattern, index) => matchesIamWildcards(parts[index] ?? '', pattern));
};

function splitArn(arn: string): readonly string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
}

const compareBy =
  (read: (text: string) => number, holds: (actual: number, wanted: number) => boolean): MeetsValue =>
  (actual, wanted) =>
    holds(read(actual), read(wanted));

/** A time in RFC 3339, or in seconds. */
const readConditionTime = (text: string): number => (/^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text));

const conditionComparisons = {
  Equals: (actual: number, wanted: number) => actual === wanted,
  LessThan: (actual: number, wanted: number) => actual < wanted,
  LessThanEquals: (actual: number, wanted: number) => actual <= wanted,
  GreaterThan: (actual: number, wanted: number) => actual > wanted,
  GreaterThanEquals: (actual: number, wanted: number) => actual >= wanted,
};

const plainOperator = (name: string, meets: MeetsValue) => [name, { meets, isNegated: false }] as const;
const negatedOperator = (name: string, meets: MeetsValue) => [name, { meets, isNegated: true }] as const;

const numberAndDateOperators = Object.entries(conditionComparisons).flatMap(([name, holds]) => [
  plainOperator(`Numeric${name}`, compareBy(Number, holds)),
  plainOperator(`Date${name}`, compareBy(readConditionTime, holds)),
]);

/** The operators of IAM policies, but for those of addresses and binary values, which no request here has. */
export const conditionOperators: ReadonlyMap<string, ConditionOperator> = new Map<string, ConditionOperator>([
  plainOperator('StringEquals', isEqual),
  negatedOperator('StringNotEquals', isEqual),
  plainOperator('StringEqualsIgnoreCase', isEqualIgnoringCase),
  negatedOperator('StringNotEqualsIgnoreCase', isEqualIgnoringCase),
  plainOperator('StringLike', matchesIamWildcards),
  negatedOperator('StringNotLike', matchesIamWildcards),
  plainOperator('ArnEquals', matchesArn),
  negatedOperator('ArnNotEquals', matchesArn),
  plainOperator('ArnLike', matchesArn),
  negatedOperator('ArnNotLike', matchesArn),
  plainOperator('Bool', isEqualIgnoringCase),
  ...numberAndDateOperators,
  negatedOperator('NumericNotEquals', compareBy(Number, conditionComparisons.Equals)),
  negatedOperator('DateNotEquals', compareBy(readConditionTime, conditionComparisons.Equals)),
]);
