/** Answers of an invented carrier in the standards' form; tests override fields. */

export const HERON = { carrier: "HRNL", smdg: "HRN" } as const;

export const stamp = (type: string, classifier: string, at: string, more: object = {}) => ({
  eventTypeCode: type,
  eventClassifierCode: classifier,
  eventDateTime: at,
  ...more,
});

/** A call of CS 1.0 `vessel-schedules` or OVS 3.0 `service-schedules`. */
export const transportCall = (port: string, fields: object = {}) => ({
  transportCallReference: `HRN-${port}-1`,
  carrierImportVoyageNumber: "612W",
  carrierExportVoyageNumber: "613E",
  location: { locationType: "UNLO", locationName: `Port of ${port}`, UNLocationCode: port },
  timestamps: [stamp("ARRI", "PLN", "2026-12-01T06:00:00+01:00")],
  ...fields,
});

/** OVS 3.0: the vessel beside its calls. */
export const ovsService = (code: string, transportCalls: readonly unknown[], vessel: object = {}) => ({
  carrierServiceName: `Heron ${code}`,
  carrierServiceCode: code,
  universalServiceReference: "SR12345A",
  vesselSchedules: [
    {
      vesselOperatorSMDGLinerCode: "HRN",
      vesselIMONumber: "9321483",
      vesselName: "Grey Heron",
      isDummyVessel: false,
      transportCalls,
      ...vessel,
    },
  ],
});

/** CS 1.0: the vessel an object of its own. */
export const csService = (code: string, transportCalls: readonly unknown[]) => ({
  carrierServiceName: `Heron ${code}`,
  carrierServiceCode: code,
  vesselSchedules: [
    { vessel: { vesselIMONumber: "9321483", name: "Grey Heron" }, isDummyVessel: false, transportCalls },
  ],
});

export const partner = (carrierCode: string, fields: object = {}) => ({
  carrierCode,
  carrierCodeListProvider: carrierCode.length === 4 ? "NMFTA" : "SMDG",
  carrierServiceName: `${carrierCode} Loop`,
  carrierServiceCode: `${carrierCode}1`,
  carrierImportVoyageNumber: `${carrierCode}-IN`,
  carrierExportVoyageNumber: `${carrierCode}-OUT`,
  ...fields,
});

export const cutOff = (code: string, at: string) => ({ cutOffDateTimeCode: code, cutOffDateTime: at });

export const at = (UNLocationCode: string, dateTime: string, more: object = {}) => ({
  facilityTypeCode: "POTE",
  location: { locationName: `Port of ${UNLocationCode}`, UNLocationCode, ...more },
  dateTime,
});

export const leg = (from: object, to: object, fields: object = {}) => ({
  transport: {
    modeOfTransport: "VESSEL",
    servicePartners: [partner("HRNL")],
    vessel: { vesselIMONumber: "9321483", name: "Grey Heron" },
  },
  departure: from,
  arrival: to,
  ...fields,
});
