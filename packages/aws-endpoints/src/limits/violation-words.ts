import type { Violation } from './constraint-checks.ts';

/** Writes violations as services tell them that check their models: Auto Scaling, EventBridge, IAM, SSM, STS and others. */
export function describeViolations(violations: readonly Violation[]): string {
  const errors = violations.length === 1 ? '1 validation error' : `${violations.length} validation errors`;
  const each = violations.map(
    (violation) =>
      `Value ${quoteValue(violation.value)} at '${writeMemberPath(violation.path)}' failed to satisfy constraint: ${describeMapPart(violation)}`,
  );
  return `${errors} detected: ${each.join('; ')}`;
}

function describeMapPart(violation: Violation): string {
  const { inMap } = violation;
  const words = describeBroken(violation);
  return inMap === undefined ? words : `Map ${inMap} must satisfy constraint: [${words}]`;
}

function describeBroken(violation: Violation): string {
  switch (violation.kind) {
    case 'required':
      return 'Member must not be null';
    case 'least':
      return `Member must have ${violation.of} greater than or equal to ${violation.bound}`;
    case 'most':
      return `Member must have ${violation.of} less than or equal to ${violation.bound}`;
    case 'pattern':
      return `Member must satisfy regular expression pattern: ${violation.pattern}`;
    case 'values':
      return `Member must satisfy enum value set: [${violation.values.join(', ')}]`;
  }
}

const quoteValue = (value: unknown): string =>
  value === undefined || value === null ? 'null' : `'${writeConstrainedValue(value)}'`;

/** Writes a value as AWS's messages show it: lists in brackets, maps in braces. */
export function writeConstrainedValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeConstrainedValue).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}=${writeConstrainedValue(each)}`)
    .join(', ')}}`;
}

/** Writes a path, `tags.1.member.key`. */
export const writeMemberPath = (path: Violation['path']): string =>
  path.map((step) => (typeof step === 'number' ? `${step}.member` : lowerFirst(step))).join('.');

export const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
