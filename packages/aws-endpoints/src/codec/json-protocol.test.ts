import { GetParameter$, GetParameters$ } from '@aws-sdk/client-ssm';
import { expect, test } from 'vitest';
import { AwsError } from './aws-error.ts';
import { jsonProtocol } from './json-protocol.ts';

const ssm = jsonProtocol({ version: '1.1' });
const operations = [GetParameter$, GetParameters$];

const request = (operation: string, body: string) => ({
  method: 'POST',
  path: '/',
  headers: { 'x-amz-target': `AmazonSSM.${operation}` },
  body: Buffer.from(body),
});

test('WIRE-7: the target names the operation, and members that are not modelled are ignored', () => {
  const { operation, input } = ssm.decode(request('GetParameter', '{"Name":"/a","Colour":"red"}'), operations);
  expect(operation).toBe(GetParameter$);
  expect(input).toEqual({ Name: '/a' });
});

test('WIRE-7: times are seconds since the epoch', () => {
  const output = { Parameter: { LastModifiedDate: new Date('2024-01-28T16:00:00.500Z') } };
  const { body } = ssm.encode(GetParameter$, output, 'id-1');
  expect(JSON.parse(Buffer.from(body as Uint8Array).toString())).toEqual({
    Parameter: { LastModifiedDate: 1_706_457_600.5 },
  });
});

for (const { operation, body, message } of [
  { operation: 'GetParameter', body: '{', message: 'The body of the request is not JSON.' },
  { operation: 'GetParameter', body: '[]', message: 'The body must be an object.' },
  { operation: 'GetParameter', body: '{"Name":5}', message: 'Name must be text.' },
  { operation: 'GetParameter', body: '{"WithDecryption":"yes"}', message: 'WithDecryption must be true or false.' },
  { operation: 'GetParameters', body: '{"Names":"/a"}', message: 'Names must be a list.' },
]) {
  test(`${operation} with ${body} is refused: ${message}`, () => {
    const refusal = expect.objectContaining({ code: 'SerializationException', message });
    expect(() => ssm.decode(request(operation, body), operations)).toThrow(refusal);
  });
}

test('WIRE-7: a refusal names its code, and what else it carries', () => {
  const error = new AwsError('ParameterNotFound', 'gone', { details: { name: '/a' } });
  const { status, headers, body } = ssm.refuse(error, 'id-1');
  expect(status).toBe(400);
  expect(headers).toMatchObject({ 'x-amzn-requestid': 'id-1', 'content-type': 'application/x-amz-json-1.1' });
  expect(JSON.parse(Buffer.from(body as Uint8Array).toString())).toEqual({
    __type: 'ParameterNotFound',
    message: 'gone',
    name: '/a',
  });
});
