import { encodeUint32s } from './frames.ts';

/** The words that SPDY/3 compresses headers with, each behind its length in four bytes. */
const headerWords = [
  ...'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges'.split(
    ' ',
  ),
  ...'age allow authorization cache-control connection content-base content-encoding content-language'.split(' '),
  ...'content-length content-location content-md5 content-range content-type date etag expect expires from'.split(' '),
  ...'host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location'.split(' '),
  ...'max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te'.split(' '),
  ...'trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get status'.split(' '),
  '200 OK',
  ...'version HTTP/1.1 url public set-cookie keep-alive origin'.split(' '),
];

const statusCodeText =
  '100 101 201 202 205 206 300 302 303 304 305 306 307 402 405 406 407 408 409 410 411 412 413 414 415 416 417 502 504 505'.replaceAll(
    ' ',
    '',
  );

const headerTexts = [
  statusCodeText,
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized',
  '403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable',
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT',
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,',
  'text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.',
];

/** The dictionary of section 2.6.10.1 of the SPDY/3 draft. */
export const headerDictionary: Buffer = Buffer.concat([
  ...headerWords.flatMap((word) => [encodeUint32s(word.length), Buffer.from(word)]),
  Buffer.from(headerTexts.join('')),
]);
