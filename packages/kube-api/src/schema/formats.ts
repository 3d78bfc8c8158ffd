import { readOwn } from '@nodewright/apis';

const isDate = (text: string): boolean => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [, year = '', month = '', day = ''] = match;
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= daysInMonth;
};

const clockTime = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d+)?(z|[+-]\d{2}:\d{2})$/;

const isDateTime = (text: string): boolean => {
  const [date = '', time = '', ...rest] = text.toLowerCase().split('t');
  return rest.length === 0 && isDate(date) && clockTime.test(time);
};

const octet = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const ipv4 = new RegExp(`^(${octet}\\.){3}${octet}$`);

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  date: isDate,
  duration: (text) => /^[+-]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h|d|w))+$/.test(text) || text === '0',
  byte: (text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  ipv4: (text) => ipv4.test(text),
};

/** Whether a text has the format; true for formats that are not checked. */
export const hasFormat = (format: string, text: string): boolean => readOwn(checks, format)?.(text) !== false;
