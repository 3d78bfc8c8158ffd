import { buildChoiceParser } from '@stricli/core';
import { stringify } from 'yaml';
import type { CliContext } from './context.ts';

/** How programs want an answer; people get a table. */
export type OutputFormat = 'json' | 'yaml';

/** The flag `-o json|yaml`, for the commands that answer programs, too. */
export const outputFlag = {
  kind: 'parsed',
  parse: buildChoiceParser(['json', 'yaml']),
  optional: true,
  brief: 'json or yaml, for programs',
} as const;

export const outputAliases = { o: 'output' } as const;

/** What a command answers: an object for programs, and its text for people. */
export type CommandAnswer = { readonly object: { readonly kind: string } & object; readonly text: string };

/** Writes an answer to stdout in the form that was asked for. As kubectl does, it leaves out who wrote which field. */
export function writeAnswer(
  context: CliContext,
  format: OutputFormat | undefined,
  { object, text }: CommandAnswer,
): void {
  const whole = { apiVersion: 'nodewright.dev/v1alpha1', ...object };
  const words =
    format === 'json'
      ? JSON.stringify(whole, withoutManagedFields, 2)
      : format === 'yaml'
        ? stringify(whole, withoutManagedFields, { aliasDuplicateObjects: false }).trimEnd()
        : text;
  context.process.stdout.write(`${words}\n`);
}

/** For a replacer: `metadata` has this list in every object of Kubernetes. A label may have the name, too. */
const withoutManagedFields = (key: string, value: unknown): unknown =>
  key === 'managedFields' && Array.isArray(value) ? undefined : value;
