import type { HttpRequest } from '@nodewright/runtime';
import { AwsError } from './aws-error.ts';
import { parseForm } from './form.ts';
import { answer, splitPath, textOf, type Decoded, type Protocol } from './protocol.ts';
import { queryInput, type QueryDialect } from './query-input.ts';
import { inputShape, operationName, outputShape, type OperationSchema, type Structure } from './shape.ts';
import { element, escapeXml, xmlMembers } from './xml.ts';

/** The form-in, XML-out protocols of EC2 (`ec2Query`) and of IAM, STS and Auto Scaling (`awsQuery`). */
export const queryProtocol = ({ dialect, namespace }: { dialect: QueryDialect; namespace: string }): Protocol => {
  const writer = dialect === 'ec2Query' ? ec2Writer : awsWriter;
  const xml = (status: number, body: string, requestId: string) =>
    answer(status, {
      body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
      contentType: 'text/xml;charset=UTF-8',
      requestId,
    });
  return {
    decode: (request, operations) => decodeForm(request, operations, dialect),
    encode(operation, output, requestId) {
      const name = `${operationName(operation)}Response`;
      const content = writer.result(operation, output, requestId);
      return xml(200, `<${name} xmlns="${namespace}">${content}</${name}>`, requestId);
    },
    refuse: (error, requestId) => xml(error.status, writer.refusal(error, requestId), requestId),
  };
};

function decodeForm(request: HttpRequest, operations: readonly OperationSchema[], dialect: QueryDialect): Decoded {
  const form = parseForm(request.method === 'GET' ? splitPath(request.path).query : textOf(request.body));
  const action = form.children.get('Action')?.text ?? '';
  const operation = operations.find((each) => operationName(each) === action);
  if (operation === undefined) {
    throw new AwsError('InvalidAction', `The action ${action} is not valid for this web service.`);
  }
  return { operation, input: queryInput(inputShape(operation), form, dialect) };
}

type Writer = {
  result(operation: OperationSchema, output: Structure, requestId: string): string;
  refusal(error: AwsError, requestId: string): string;
};

const ec2Writer: Writer = {
  result: (operation, output, requestId) =>
    element('requestId', requestId) + xmlMembers(outputShape(operation), output),
  refusal: (error, requestId) =>
    element('Response', element('Errors', element('Error', codeAndMessage(error))) + element('RequestID', requestId)),
};

const awsWriter: Writer = {
  result: (operation, output, requestId) =>
    resultOf(operation, output) + element('ResponseMetadata', element('RequestId', requestId)),
  refusal: (error, requestId) =>
    element(
      'ErrorResponse',
      element('Error', element('Type', error.fault) + codeAndMessage(error)) + element('RequestId', requestId),
    ),
};

/** An operation without output sends its metadata alone. */
function resultOf(operation: OperationSchema, output: Structure): string {
  const shape = outputShape(operation);
  return shape.isUnitSchema() ? '' : element(`${operationName(operation)}Result`, xmlMembers(shape, output));
}

const codeAndMessage = (error: AwsError): string =>
  element('Code', escapeXml(error.code)) + element('Message', escapeXml(error.message));
