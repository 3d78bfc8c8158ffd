import { matchesWildcards, parseWildcards } from '../ec2/wildcards.ts';

/** Whether a value of the request meets a value of the policy. */
type MeetsValue = (actual: string, wanted: string) => boolean;

type ConditionOperator = {
  readonly meets: MeetsValue;
  /** A negated operator holds when no value of the policy is met, and when the key is absent. */
  readonly isNegated: boolean;
};

/** `*` stands for any text, `?` for one character. */
export const matchesIamPattern: MeetsValue = (actual, wanted) =>
  matchesWildcards(parseWildcards(wanted.replaceAll('\\', '\\\\')), actual);

const isEqual: MeetsValue = (actual, wanted) => actual === wanted;

const isEqualIgnoringCase: MeetsValue = (actual, wanted) => actual.toLowerCase() === wanted.toLowerCase();

/** Each of the six parts of an ARN by itself, so that `*` does not reach over a colon. */
const matchesArn: MeetsValue = (actual, wanted) => {
  const [parts, patterns] = [splitArn(actual), splitArn(wanted)];
  return patterns.every((pattern, index) => matchesIamPattern(parts[index] ?? '', pattern));
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
const readTime = (text: string): number => (/^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text));

const comparisons = {
  Equals: (actual: number, wanted: number) => actual === wanted,
  LessThan: (actual: number, wanted: number) => actual < wanted,
  LessThanEquals: (actual: number, wanted: number) => actual <= wanted,
  GreaterThan: (actual: number, wanted: number) => actual > wanted,
  GreaterThanEquals: (actual: number, wanted: number) => actual >= wanted,
};

const plain = (name: string, meets: MeetsValue) => [name, { meets, isNegated: false }] as const;
const negated = (name: string, meets: MeetsValue) => [name, { meets, isNegated: true }] as const;

const numberAndDateOperators = Object.entries(comparisons).flatMap(([name, holds]) => [
  plain(`Numeric${name}`, compareBy(Number, holds)),
  plain(`Date${name}`, compareBy(readTime, holds)),
]);

/** The operators of IAM policies, but for those of addresses and binary values, which no request here has. */
export const conditionOperators: ReadonlyMap<string, ConditionOperator> = new Map<string, ConditionOperator>([
  plain('StringEquals', isEqual),
  negated('StringNotEquals', isEqual),
  plain('StringEqualsIgnoreCase', isEqualIgnoringCase),
  negated('StringNotEqualsIgnoreCase', isEqualIgnoringCase),
  plain('StringLike', matchesIamPattern),
  negated('StringNotLike', matchesIamPattern),
  plain('ArnEquals', matchesArn),
  negated('ArnNotEquals', matchesArn),
  plain('ArnLike', matchesArn),
  negated('ArnNotLike', matchesArn),
  plain('Bool', isEqualIgnoringCase),
  ...numberAndDateOperators,
  negated('NumericNotEquals', compareBy(Number, comparisons.Equals)),
  negated('DateNotEquals', compareBy(readTime, comparisons.Equals)),
]);
