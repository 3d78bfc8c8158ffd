import { parseSwitch } from '../http/go-values.ts';
import { invalidError, type StatusCause } from '../http/status-error.ts';
import type { ResourceCall } from './world.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The options of a write. */
export type ObjectWriteOptions = {
  readonly dryRun: boolean;
  /** Who owns the fields that are written. Undefined for clients in the same process: their fields have no owner. */
  readonly manager: string | undefined;
  readonly fieldValidation: FieldValidation;
};

/** The options of create, update and patch over the wire. */
export type WriteRequestOptions = ObjectWriteOptions & { readonly manager: string; readonly force: boolean };

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/** Parses the query parameters of a write. Throws a 422 with the messages of a real server. */
export function readWriteOptions(
  { info, headers }: ResourceCall,
  kind: OptionsKind,
  { isApply = false } = {},
): WriteRequestOptions {
  const { query } = info;
  const manager = query.get('fieldManager') ?? '';
  const force = parseSwitch(query.get('force'));
  const causes = [
    ...dryRunCauses(query.getAll('dryRun')),
    ...validationCauses(query.get('fieldValidation') ?? ''),
    ...managerCauses(manager, isApply),
    ...(force && kind === 'PatchOptions' && !isApply ? [forceCause] : []),
  ];
  if (causes.length > 0) throw invalidError({ group: 'meta.k8s.io', kind }, '', causes);
  return {
    dryRun: query.get('dryRun') === 'All',
    manager: manager === '' ? clientName(headers['user-agent']) : manager,
    fieldValidation: (query.get('fieldValidation') || 'Warn') as FieldValidation,
    force,
  };
}

/** The first word of the user agent: `kubectl/v1.29.0 ...` writes as `kubectl`. */
export const clientName = (userAgent: string | undefined): string => userAgent?.split('/')[0] ?? 'unknown';

const forceCause: StatusCause = {
  reason: 'FieldValueForbidden',
  message: 'Forbidden: may not be specified for non-apply patch',
  field: 'force',
};

export const dryRunCauses = (values: readonly string[]): readonly StatusCause[] =>
  values.filter((value) => value !== '').every((value) => value === 'All')
    ? []
    : [
        {
          reason: 'FieldValueNotSupported',
          message: `Unsupported value: ${JSON.stringify(values)}: supported values: "All"`,
          field: 'dryRun',
        },
      ];

const validationCauses = (value: string): readonly StatusCause[] =>
  ['', 'Ignore', 'Strict', 'Warn'].includes(value)
    ? []
    : [
        {
          reason: 'FieldValueNotSupported',
          message: `Unsupported value: ${JSON.stringify(value)}: supported values: "", "Ignore", "Strict", "Warn"`,
          field: 'fieldValidation',
        },
      ];

const longestManager = 128;

function managerCauses(manager: string, isApply: boolean): readonly StatusCause[] {
  if (manager === '' && isApply) {
    const message = 'Required value: is required for apply patch';
    return [{ reason: 'FieldValueRequired', message, field: 'fieldManager' }];
  }
  if (manager.length <= longestManager) return [];
  const message = `Too long: may not be more than ${longestManager} bytes`;
  return [{ reason: 'FieldValueTooLong', message, field: 'fieldManager' }];
}
