/** How well a line tells what happens. Shares are parts of one. */
export type ReportingQuality = {
  /** From an event to its report, hours, and the share that takes a day or so longer. */
  readonly lagHoursMax: number;
  readonly lateShare: number;
  /** Reported with a wrong time, corrected hours later. */
  readonly wrongTimeShare: number;
  /** Reports a departure that was none, retracted hours later. */
  readonly falseDepartureShare: number;
  readonly duplicateShare: number;
  readonly shuffles: boolean;
  /** The old plan stays in the answers after a re-route. */
  readonly keepsOldPlans: boolean;
  /** The last estimate stays beside what happened. */
  readonly keepsEstimates: boolean;
  /** Estimates of loads and discharges, not only of arrivals and departures. */
  readonly estimatesMoves: boolean;
  /** An arrival at the anchorage before the one at the berth. */
  readonly reportsAnchorage: boolean;
  /** The vessel's calls at which the box stays aboard. */
  readonly reportsIntermediateCalls: boolean;
  /** A connection that is missed is booked again days later; until then the plan contradicts itself. */
  readonly rebooksLate: boolean;
  /** Answers of a box hold its earlier and later trips. */
  readonly showsTrips: boolean;
  /** Says of a discharge, or of a move by truck, that it belongs to a transshipment. */
  readonly callsTransshipments: boolean;
  /** What is planned leaves the answer with a discharge, until the line has seen to it. */
  readonly plansEndAtDischarge: boolean;
  /** Departures from the ports where boxes are loaded, planned or done. */
  readonly reportsDepartures: boolean;
  /** Midnight of the place stands for the day. */
  readonly datesOnly: boolean;
  /** Never reported, where what follows implies it. */
  readonly omitsShare: number;
  /** An end that is missing from the answer for some hours. */
  readonly dropsEndShare: number;
  /** Reported weeks ahead of its time, corrected hours later. */
  readonly aheadShare: number;
  readonly statesFreeDays: boolean;
  /** A feeder is named by the voyage of the ship that takes the box over the ocean. */
  readonly oneVoyageNumber: boolean;
  /** Answers from two caches by turns when something has happened, one of them some hours behind. */
  readonly twoCachesShare: number;
  /** The last port is planned by its code, and written otherwise once something happens there. */
  readonly otherFormShare: number;
  /** Says in one answer that a box left its last port and came in again, as after an inspection. */
  readonly inspectedShare: number;
  /** Keeps only the last few statements of a box that has been delivered. */
  readonly prunesShare: number;
  /** Shows where the ship goes on to that has discharged a box for good. */
  readonly nextCallShare: number;
};

/** How many hours later a late report comes, at least. */
export const LATE_HOURS_MIN = 12;
export const LATE_HOURS_MAX = 40;

export const RELIABLE: ReportingQuality = {
  lagHoursMax: 1,
  lateShare: 0,
  wrongTimeShare: 0,
  falseDepartureShare: 0,
  duplicateShare: 0,
  shuffles: false,
  keepsOldPlans: false,
  keepsEstimates: false,
  estimatesMoves: true,
  reportsAnchorage: false,
  reportsIntermediateCalls: false,
  rebooksLate: false,
  showsTrips: false,
  callsTransshipments: false,
  plansEndAtDischarge: false,
  reportsDepartures: true,
  datesOnly: false,
  omitsShare: 0,
  dropsEndShare: 0,
  aheadShare: 0,
  statesFreeDays: false,
  oneVoyageNumber: false,
  twoCachesShare: 0,
  otherFormShare: 0,
  inspectedShare: 0,
  prunesShare: 0,
  nextCallShare: 0.15,
};
