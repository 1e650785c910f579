// Package receiver receives Boathook's webhooks: it verifies each delivery and hands it to your code once.
package receiver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// BodyBytesMax is the largest accepted body, in bytes: twice the 256 KiB that an event's data may have.
const BodyBytesMax = 512 << 10

// SecretsMax is the most secrets tried for one body.
const SecretsMax = 32

// Why a request is not a delivery signed with the secret. Ask with errors.Is.
var (
	ErrMissingHeader      = errors.New("missing_header")
	ErrDuplicateHeader    = errors.New("duplicate_header")
	ErrMalformedSignature = errors.New("malformed_signature")
	ErrWrongSignature     = errors.New("wrong_signature")
	ErrMalformedBody      = errors.New("malformed_body")
	ErrMismatchedID       = errors.New("mismatched_id")
	ErrMismatchedType     = errors.New("mismatched_type")
	ErrBodyTooLarge       = errors.New("body_too_large")
)

// ErrNoSecret is a mistake of the program, not of the sender: no secret, an empty one, or more than SecretsMax.
var ErrNoSecret = errors.New("receiver: pass the endpoint's whsec_… secret, at most 32 of them")

// Delivery is a verified delivery (spec 2.3).
type Delivery struct {
	// ID is a UUID, the same on every attempt: deduplicate on it.
	ID string
	// Type is for example "container_available". Ignore types that you do not know.
	Type string
	// OccurredAt is when the event was raised, UTC, RFC 3339: order by it. Retries do not change it.
	OccurredAt string
	// Data is the event's data, a JSON object: unmarshal it by Type. Properties may be added to it at any time.
	Data json.RawMessage
	// Product is "tracking", "air" … from the header's name, which the signature does not cover.
	Product string
}

// InvalidError says why a request is not a delivery: a mistake of the sender. It wraps one of the Err… values.
type InvalidError struct {
	// Message is a sentence for the log.
	Message string
	// Status is the HTTP status to answer with: 400, 401 or 413.
	Status int
	reason error
}

func (e *InvalidError) Error() string { return e.Message }

// Unwrap returns the reason.
func (e *InvalidError) Unwrap() error { return e.reason }

// Verify verifies one delivery (spec 5.1): it compares the HMAC-SHA256 of the raw body under the endpoint's secret in
// constant time, and checks that the body's id and type match the headers. It accepts any of several secrets. A
// mistake of the sender is an *InvalidError, one of the program ErrNoSecret.
func Verify(body []byte, header http.Header, secrets ...string) (*Delivery, error) {
	return verify(body, header, secrets, BodyBytesMax)
}

func verify(body []byte, header http.Header, secrets []string, bytesMax int64) (*Delivery, error) {
	if !usable(secrets) {
		return nil, ErrNoSecret
	}
	if int64(len(body)) > bytesMax {
		return nil, invalid(ErrBodyTooLarge, "the body is larger than %d bytes", bytesMax)
	}
	found, err := readHeaders(header)
	if err != nil {
		return nil, err
	}
	if !isSigned(body, found.signature, secrets) {
		return nil, invalid(ErrWrongSignature, "the signature does not match the body and the secret")
	}
	delivery := parse(body)
	if delivery == nil {
		return nil, invalid(ErrMalformedBody, "the body is signed, but it is not a delivery")
	}
	if delivery.ID != found.delivery {
		return nil, invalid(ErrMismatchedID, "the body's id does not match x-%s-delivery", found.product)
	}
	if delivery.Type != found.event {
		return nil, invalid(ErrMismatchedType, "the body's type does not match x-%s-event", found.product)
	}
	delivery.Product = found.product
	return delivery, nil
}

func usable(secrets []string) bool {
	return len(secrets) > 0 && len(secrets) <= SecretsMax && !slices.Contains(secrets, "")
}

// isSigned tries every secret, so the time does not reveal which one matches (spec 5.1: comparison).
func isSigned(body []byte, signature string, secrets []string) bool {
	signed := false
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		wanted := "sha256=" + hex.EncodeToString(mac.Sum(nil))
		signed = hmac.Equal([]byte(wanted), []byte(signature)) || signed
	}
	return signed
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// parse reads the four keys (spec 2.3), and lets a later version add others; nil when it is not a delivery.
func parse(body []byte) *Delivery {
	// The JSON package replaces what is not UTF-8, and matches the names of a struct's fields in any case.
	var parsed map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &parsed) != nil {
		return nil
	}
	read := &Delivery{ID: text(parsed["id"]), Type: text(parsed["type"]), OccurredAt: text(parsed["occurred_at"])}
	read.Data = parsed["data"]
	isObject := len(read.Data) > 0 && read.Data[0] == '{'
	if !isObject || !uuid.MatchString(read.ID) || read.Type == "" || read.OccurredAt == "" {
		return nil
	}
	return read
}

// text is empty for what is not a string.
func text(value json.RawMessage) string {
	var read string
	if json.Unmarshal(value, &read) != nil {
		return ""
	}
	return read
}

type deliveryHeaders struct{ product, signature, event, delivery string }

type values struct{ signature, event, delivery []string }

var (
	deliveryHeader = regexp.MustCompile(`^x-([a-z0-9-]{1,40})-(signature|event|delivery)$`)
	signatureForm  = regexp.MustCompile(`^sha256=[0-9a-f]{64}$`)
)

// readHeaders finds X-<Product>-Signature, X-<Product>-Event and X-<Product>-Delivery (spec 5.1).
func readHeaders(header http.Header) (deliveryHeaders, error) {
	var none deliveryHeaders
	signed := map[string]*values{}
	for product, found := range groupByProduct(header) {
		if len(found.signature) > 0 {
			signed[product] = found
		}
	}
	if len(signed) == 0 {
		return none, invalid(ErrMissingHeader, "there is no X-<Product>-Signature header")
	}
	var names, candidates []string
	for product, found := range signed {
		names = append(names, "x-"+product+"-signature")
		// A proxy may add an X-…-Signature of its own; only a delivery also has the id header.
		if len(signed) == 1 || len(found.delivery) > 0 {
			candidates = append(candidates, product)
		}
	}
	if len(candidates) != 1 {
		slices.Sort(names)
		return none, invalid(ErrDuplicateHeader, "more than one signature header: %s", strings.Join(names, ", "))
	}
	product := candidates[0]
	found := signed[product]
	for _, part := range []struct {
		name   string
		values []string
	}{{"signature", found.signature}, {"event", found.event}, {"delivery", found.delivery}} {
		switch count := len(part.values); {
		case count == 0:
			return none, invalid(ErrMissingHeader, "there is no x-%s-%s header", product, part.name)
		case count > 1:
			return none, invalid(ErrDuplicateHeader, "the x-%s-%s header came %d times", product, part.name, count)
		}
	}
	if !signatureForm.MatchString(found.signature[0]) {
		return none, invalid(ErrMalformedSignature,
			`x-%s-signature is not "sha256=" followed by 64 lower-case hex digits`, product)
	}
	return deliveryHeaders{product, found.signature[0], found.event[0], found.delivery[0]}, nil
}

func groupByProduct(header http.Header) map[string]*values {
	products := map[string]*values{}
	for name, given := range header {
		match := deliveryHeader.FindStringSubmatch(strings.ToLower(name))
		if match == nil {
			continue
		}
		found := products[match[1]]
		if found == nil {
			found = &values{}
			products[match[1]] = found
		}
		part := map[string]*[]string{"signature": &found.signature, "event": &found.event, "delivery": &found.delivery}[match[2]]
		*part = append(*part, given...)
	}
	return products
}

func invalid(reason error, message string, values ...any) *InvalidError {
	status := http.StatusBadRequest
	switch reason {
	case ErrMalformedSignature, ErrWrongSignature:
		status = http.StatusUnauthorized
	case ErrBodyTooLarge:
		status = http.StatusRequestEntityTooLarge
	}
	return &InvalidError{Message: fmt.Sprintf(message, values...), Status: status, reason: reason}
}
