import { scaleTime } from 'd3-scale';

/** A line of time, in milliseconds. */
export type TimeSpan = { readonly begin: number; readonly end: number };

/** A mark on a line of time. */
export type TimeMark = {
  readonly at: number;
  /** From 0 to 1. */
  readonly place: number;
  /** In the zone of the reader. */
  readonly words: string;
  /** On which side of the place the words stand: they do not reach beyond the line. */
  readonly anchor: 'start' | 'middle' | 'end';
};

/** The place of a time on a line of time, from 0 to 1. Times before the line and after it have the place of its ends. */
export function createTimePlaces({ begin, end }: TimeSpan): (time: number) => number {
  const scale = scaleTime()
    .domain([begin, Math.max(begin + 1, end)])
    .range([0, 1])
    .clamp(true);
  return (time) => scale(time);
}

/** Marks at full days, hours, minutes or seconds of the reader's zone: as many as the line has, `most` of them at the most. */
export function listTimeMarks(span: TimeSpan, most: number): readonly TimeMark[] {
  if (span.end <= span.begin) return [];
  const times = chooseTimes(scaleTime().domain([span.begin, span.end]), most).map((date) => date.getTime());
  const placeOf = createTimePlaces(span);
  const stepMs = (times[1] ?? span.end) - (times[0] ?? span.begin);
  return times.map((at) => {
    const place = placeOf(at);
    return { at, place, words: describeMark(at, stepMs), anchor: chooseAnchor(place, 0.5 / most) };
  });
}

/** A scale takes the number of marks for a hint: it is asked for fewer until there are no more than fit. */
function chooseTimes(scale: { ticks(count: number): Date[] }, most: number): readonly Date[] {
  for (let count = most; count > 0; count -= 1) {
    const times = scale.ticks(count);
    if (times.length <= most) return times;
  }
  return [];
}

const chooseAnchor = (place: number, room: number): TimeMark['anchor'] =>
  place < room ? 'start' : place > 1 - room ? 'end' : 'middle';

const dayFormat = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const minuteFormat = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const secondFormat = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', second: '2-digit' });

const minuteMs = 60_000;

/** The day where a day begins, the time everywhere else. */
function describeMark(at: number, stepMs: number): string {
  const date = new Date(at);
  const isMidnight = date.getHours() + date.getMinutes() + date.getSeconds() + date.getMilliseconds() === 0;
  return (isMidnight ? dayFormat : stepMs < minuteMs ? secondFormat : minuteFormat).format(at);
}
