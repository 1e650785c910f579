package receiver

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"time"
)

// HandlingTimeMax is how long a delivery counts as being handled unless told: three times the sender's time-out,
// after which it gives up.
const HandlingTimeMax = 30 * time.Second

// Options of NewHandler. Secrets and OnDelivery are required.
type Options struct {
	// Secrets are the endpoint's whsec_… secret, or several: during a rotation, or one for each product.
	Secrets []string
	// OnDelivery does the work, or puts it in your own queue, within ten seconds (spec 8). After an error the delivery
	// comes again. The context ends after HandlingTimeMax; it does not end when the sender leaves.
	OnDelivery func(ctx context.Context, delivery *Delivery) error
	// Seen is NewMemorySeen unless given. Several processes need a shared store.
	Seen SeenStore
	// BodyBytesMax is the constant BodyBytesMax when 0.
	BodyBytesMax int64
	// HandlingTimeMax is the constant HandlingTimeMax when 0.
	HandlingTimeMax time.Duration
	// OnInvalid is called for each refused request, if given.
	OnInvalid func(invalid *InvalidError, request *http.Request, body []byte)
	// OnError is called for each failure, OnDelivery's included; the delivery is nil when there is none. Default: the
	// standard logger.
	OnError func(err error, delivery *Delivery)
}

// NewHandler returns an http.Handler that verifies each delivery, deduplicates it, and answers 2xx only after
// OnDelivery has returned nil, so a crash costs a retry and never a delivery. It returns ErrNoSecret without a secret,
// so a server without one does not start.
//
//	request → verify → claim the id → OnDelivery → complete → 204
//	           │          ├ done: 204             └ error: release → 500, sent again
//	           │          └ busy: 409
//	           └ 400, 401, 405, 413
func NewHandler(options Options) (http.Handler, error) {
	if !usable(options.Secrets) {
		return nil, ErrNoSecret
	}
	if options.OnDelivery == nil {
		return nil, errors.New("receiver: OnDelivery is missing")
	}
	if options.Seen == nil {
		options.Seen = NewMemorySeen(0)
	}
	if options.BodyBytesMax <= 0 {
		options.BodyBytesMax = BodyBytesMax
	}
	if options.HandlingTimeMax <= 0 {
		options.HandlingTimeMax = HandlingTimeMax
	}
	if options.OnError == nil {
		options.OnError = func(err error, _ *Delivery) { log.Printf("a webhook delivery failed: %v", err) }
	}
	return &handler{options}, nil
}

type handler struct{ Options }

func (h *handler) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		answer.Header().Set("Allow", http.MethodPost)
		http.Error(answer, "deliveries are POSTed", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, h.BodyBytesMax))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		err = invalid(ErrBodyTooLarge, "the body is larger than %d bytes", h.BodyBytesMax)
	case err != nil:
		// The sender left before its end.
		panic(http.ErrAbortHandler)
	}
	var delivery *Delivery
	if err == nil {
		delivery, err = verify(body, request.Header, h.Secrets, h.BodyBytesMax)
	}
	var refused *InvalidError
	if errors.As(err, &refused) {
		if h.OnInvalid != nil {
			h.OnInvalid(refused, request, body)
		}
		http.Error(answer, refused.Message, refused.Status)
		return
	}
	// The sender's leaving does not undo the work: only its answer is lost.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(request.Context()), h.HandlingTimeMax)
	defer cancel()
	h.handleOnce(ctx, answer, delivery)
}

func (h *handler) handleOnce(ctx context.Context, answer http.ResponseWriter, delivery *Delivery) {
	claim, err := h.Seen.Claim(ctx, delivery.ID, h.HandlingTimeMax)
	switch {
	case err != nil:
		h.fail(answer, err, delivery)
		return
	case claim == Done:
		answer.WriteHeader(http.StatusNoContent)
		return
	case claim != Claimed:
		http.Error(answer, "this delivery is being handled; send it again later", http.StatusConflict)
		return
	}
	handled := false
	defer func() {
		// Also after a panic, which goes on to the server. The time to handle it may be over, the store's is not.
		note, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeMax)
		defer cancel()
		end := h.Seen.Release
		if handled {
			end = h.Seen.Complete
		}
		// A failure of the store changes no answer: only work that failed is sent again.
		if err := end(note, delivery.ID); err != nil {
			h.OnError(err, delivery)
		}
		if handled {
			answer.WriteHeader(http.StatusNoContent)
		}
	}()
	if err := h.OnDelivery(ctx, delivery); err != nil {
		h.fail(answer, err, delivery)
		return
	}
	handled = true
}

const storeTimeMax = 5 * time.Second

func (h *handler) fail(answer http.ResponseWriter, err error, delivery *Delivery) {
	h.OnError(err, delivery)
	http.Error(answer, "the delivery was not handled; send it again", http.StatusInternalServerError)
}
