import type { InstallValues } from '../values/install-values.ts';
import type { InstallObject } from '../objects/install-object.ts';
import { listWideAccess } from './access-objects.ts';
import { callsOn, type AccessCall } from './kubernetes-call.ts';

/** What the page asks the API server about its readers: whose a token is, and what that user may list. */
const pageCalls: readonly AccessCall[] = [
  callsOn('authentication.k8s.io', 'tokenreviews', ['create']),
  callsOn('authorization.k8s.io', 'subjectaccessreviews', ['create']),
];

/** Whether the controller serves the page. */
export const isPageServed = ({ settings }: Pick<InstallValues, 'settings'>): boolean =>
  Number(settings.get('uiPort') ?? '0') !== 0;

/** The role of the page with its binding. It is there only with the page: no other part of the controller has these rights. */
export const listPageAccess = (values: InstallValues): readonly InstallObject[] =>
  listWideAccess(values, `${values.name}-page`, pageCalls);
