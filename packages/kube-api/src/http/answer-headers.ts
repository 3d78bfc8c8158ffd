import { type HttpResponse, withHeaders } from '@nodewright/runtime';

/** The flow schema and priority level of a request. A real server sends them, and some clients log them. */
const flowSchema = '6ee3fd07-307e-4773-827e-38d213557925';
const priorityLevel = 'd499c77c-1c36-4e9c-8fee-173d2fd6186d';

/** Adds the headers of every answer. Without `cache-control` some clients cache `/version` forever. */
export const withServerHeaders = (response: HttpResponse, auditId: string): HttpResponse =>
  withHeaders(response, {
    'audit-id': auditId,
    'cache-control': 'no-cache, private',
    'x-kubernetes-pf-flowschema-uid': flowSchema,
    'x-kubernetes-pf-prioritylevel-uid': priorityLevel,
    ...response.headers,
  });
