import type { HttpRequest, HttpResponse } from '@nodewright/runtime';
import { AwsError } from './aws-error.ts';
import { parseForm } from './form.ts';
import { perKey } from './lazily.ts';
import { answerWith, splitPath, decodeBodyText, type Protocol } from './protocol.ts';
import { structureReader, type QueryDialect } from './query-input.ts';
import { inputShape, operationName, outputShape, type OperationSchema } from './shape.ts';
import { writeElement, escapeXml, membersWriter } from './xml.ts';

/** The form-in, XML-out protocols of EC2 (`ec2Query`) and of IAM, STS and Auto Scaling (`awsQuery`). */
export const queryProtocol = ({ dialect, namespace }: { dialect: QueryDialect; namespace: string }): Protocol => {
  const envelope = dialect === 'ec2Query' ? ec2Envelope : awsEnvelope;
  const reader = perKey((operation: OperationSchema) => structureReader(inputShape(operation), dialect));
  const writer = perKey((operation: OperationSchema) => membersWriter(outputShape(operation)));
  return {
    hasFormInput: true,
    decode(request, operations) {
      const { form, operation } = operationAsked(request, operations);
      return { operation, input: reader(operation)(form) };
    },
    encode(operation, output, requestId) {
      const name = `${operationName(operation)}Response`;
      const content = envelope.result(operation, { members: writer(operation)(output), requestId });
      return xml(200, `<${name} xmlns="${namespace}">${content}</${name}>`, requestId);
    },
    refuse: (error, requestId) => xml(error.status, envelope.refusal(error, requestId), requestId),
  };
};

const xml = (status: number, content: string, requestId: string): HttpResponse => {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${content}`;
  return answerWith(status, { body, contentType, requestId });
};

const contentType = 'text/xml;charset=UTF-8';

function operationAsked(request: HttpRequest, operations: readonly OperationSchema[]) {
  const form = parseForm(request.method === 'GET' ? splitPath(request.path).query : decodeBodyText(request.body));
  const action = form.children.get('Action')?.text ?? '';
  const operation = operations.find((each) => operationName(each) === action);
  if (operation === undefined) {
    throw new AwsError(
      'InvalidAction',
      `The action ${action} is not valid for this web service: the sandbox does not serve it.`,
    );
  }
  return { form, operation };
}

/** What goes around an operation's members. */
type Envelope = {
  result(operation: OperationSchema, content: { readonly members: string; readonly requestId: string }): string;
  refusal(error: AwsError, requestId: string): string;
};

const ec2Envelope: Envelope = {
  result: (_operation, { members, requestId }) => writeElement('requestId', requestId) + members,
  refusal: (error, requestId) =>
    writeElement(
      'Response',
      writeElement('Errors', writeElement('Error', codeAndMessage(error))) + writeElement('RequestID', requestId),
    ),
};

/** An operation without output sends its metadata alone. */
const awsEnvelope: Envelope = {
  result: (operation, { members, requestId }) =>
    (outputShape(operation).isUnitSchema() ? '' : writeElement(`${operationName(operation)}Result`, members)) +
    writeElement('ResponseMetadata', writeElement('RequestId', requestId)),
  refusal: (error, requestId) =>
    writeElement(
      'ErrorResponse',
      writeElement('Error', writeElement('Type', error.fault) + codeAndMessage(error)) +
        writeElement('RequestId', requestId),
    ),
};

const codeAndMessage = (error: AwsError): string =>
  writeElement('Code', escapeXml(error.code)) + writeElement('Message', escapeXml(error.message));
