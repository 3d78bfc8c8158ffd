import type { HttpRequest, HttpResponse } from '@nodewright/runtime';
import { AwsError } from './codec/aws-error.ts';
import { jsonProtocol } from './codec/json-protocol.ts';
import { answerWith, type Protocol } from './codec/protocol.ts';
import { queryProtocol } from './codec/query-protocol.ts';
import { restProtocol } from './codec/rest-protocol.ts';
import { escapeXml, writeElement } from './codec/xml.ts';
import { scopedService } from './which-service.ts';

/** Refuses a request for a service that the sandbox does not have, in the protocol of the request: clients show the reason. */
export function refuseUnservedService(request: HttpRequest, requestId: string): HttpResponse {
  const service = scopedService(request);
  const asked = service === undefined ? '' : ` The request is for ${service}.`;
  const error = new AwsError(
    'UnknownOperationException',
    `The sandbox serves Auto Scaling, EC2, EKS, EventBridge, FIS, IAM, Pricing, Service Quotas, SQS, SSM and STS only.${asked}`,
    { status: 404 },
  );
  return service === 's3' ? refuseAsS3(error, requestId) : refusalProtocol(request, service).refuse(error, requestId);
}

/** Services that answer XML although they are not asked with forms. */
const restXmlServices: ReadonlySet<string> = new Set(['cloudfront', 'route53']);

function refusalProtocol({ headers, body }: HttpRequest, service: string | undefined): Protocol {
  const contentType = headers['content-type'] ?? '';
  const isForm = contentType.startsWith('application/x-www-form-urlencoded');
  if (isForm || restXmlServices.has(service ?? '')) return queryProtocol({ dialect: 'awsQuery', namespace: '' });
  if (headers['x-amz-target'] !== undefined)
    return jsonProtocol({ version: contentType.includes('1.0') ? '1.0' : '1.1' });
  return contentType === '' && body.byteLength === 0 && service === undefined
    ? jsonProtocol({ version: '1.1' })
    : restProtocol();
}

/** S3 has no element around its errors. */
function refuseAsS3({ code, message, status }: AwsError, requestId: string): HttpResponse {
  const members = { Code: code, Message: message, RequestId: requestId };
  const content = Object.entries(members).map(([name, text]) => writeElement(name, escapeXml(text)));
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement('Error', content.join(''))}`;
  return answerWith(status, { body, contentType: 'application/xml', requestId });
}
