import { type HttpResponse, withHeaders } from '@nodewright/runtime';

/** The priority level that served a request; a real server tells it, and some clients log it. */
const flowSchema = '6ee3fd07-307e-4773-827e-38d213557925';
const priorityLevel = 'd499c77c-1c36-4e9c-8fee-173d2fd6186d';

/** Every answer carries these; without the first, some clients keep an old `/version` for good. */
export const withServerHeaders = (response: HttpResponse, auditId: string): HttpResponse =>
  withHeaders(response, {
    'audit-id': auditId,
    'cache-control': 'no-cache, private',
    'x-kubernetes-pf-flowschema-uid': flowSchema,
    'x-kubernetes-pf-prioritylevel-uid': priorityLevel,
    ...response.headers,
  });
